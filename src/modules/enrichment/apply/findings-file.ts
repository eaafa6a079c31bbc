import { createInterface } from 'node:readline';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { jsonLine } from '../../../common/platform/text/json-line';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import type { AppliedType, Finding } from '../domain/findings';

/** A chunk of findings as JSON lines, in the order of the table. Vectors are base64 of their 32-bit numbers. */
export const encodeFindings = (findings: readonly Finding[]): Buffer =>
  Buffer.from(findings.map((finding) => jsonLine(finding, vectorAsText)).join(''));

/** The findings of all chunks, in the order of the table. */
export async function* readFindings<Type extends AppliedType>(
  store: ObjectStore,
  chunks: readonly AppliedChunk[],
): AsyncGenerator<Finding<Type>> {
  for (const { storeKey } of chunks) {
    const input = await store.get(storeKey);
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield decoded<Type>(line);
    } finally {
      input.destroy();
    }
  }
}

const vectorAsText = (_key: string, value: unknown): unknown =>
  value instanceof Float32Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;

function decoded<Type extends AppliedType>(line: string): Finding<Type> {
  const finding = JSON.parse(line) as { readonly id: string; readonly found: { readonly embedding?: string } | null };
  const embedding = finding.found?.embedding;
  if (embedding === undefined) return finding as Finding<Type>;
  // A copy, because numbers must be aligned.
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return { id: finding.id, found: { embedding: new Float32Array(bytes.buffer) } } as unknown as Finding<Type>;
}
