import { createInterface } from 'node:readline';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { jsonLine } from '../../../common/platform/text/lines';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import type { AppliedType, Finding } from '../domain/findings';
import type { OperationRun } from '../../tasks';

/** One run of an enrichment job. */
export interface EnrichmentRun extends OperationRun {
  /** The dataset that receives the results: the copy, or the dataset itself. */
  readonly targetId: string;
  /** Whether a model was never applied to the dataset before: one that refuses the first pictures is taken for the wrong one. */
  readonly isFirst: boolean;
}

/** A chunk of findings as JSON lines, in the order in which the model looked at the rows. Vectors are base64 of their 32-bit numbers. */
export const encodeFindings = (findings: readonly Finding[]): Buffer =>
  Buffer.from(findings.map((finding) => jsonLine(finding, vectorAsText)).join(''));

/** Which of the findings of all chunks are meant. */
interface Part {
  readonly from?: number;
  readonly to?: number;
}

/** The findings of all chunks, in the order in which the model looked at the rows. */
export async function* readFindings<Type extends AppliedType>(
  store: ObjectStore,
  chunks: readonly AppliedChunk[],
  part: Part = {},
): AsyncGenerator<Finding<Type>> {
  for await (const line of findingLines(store, chunks, part)) yield findingOf<Type>(line);
}

/** The same as they are stored. */
export async function* findingLines(
  store: ObjectStore,
  chunks: readonly AppliedChunk[],
  { from = 0, to = Infinity }: Part,
): AsyncGenerator<string> {
  let first = 0;
  for (const { storeKey, media } of chunks) {
    const end = first + media;
    if (end > from && first < to) {
      let at = first;
      const input = await store.get(storeKey);
      try {
        for await (const line of createInterface({ input, crlfDelay: Infinity })) {
          if (at >= from && at < to) yield line;
          at += 1;
        }
      } finally {
        input.destroy();
      }
    }
    first = end;
  }
}

const vectorAsText = (_key: string, value: unknown): unknown =>
  value instanceof Float32Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;

export function findingOf<Type extends AppliedType>(line: string): Finding<Type> {
  const finding = JSON.parse(line) as { readonly id: string; readonly found: { readonly embedding?: string } | null };
  const embedding = finding.found?.embedding;
  if (embedding === undefined) return finding as Finding<Type>;
  // A copy, because numbers must be aligned.
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  return { id: finding.id, found: { embedding: new Float32Array(bytes.buffer) } } as unknown as Finding<Type>;
}
