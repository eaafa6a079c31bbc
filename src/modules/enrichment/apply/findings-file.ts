import { createInterface } from 'node:readline';
import type { PictureModelType } from '../../../common/engine/models/picture-model';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import type { Finding } from '../domain/findings';

/** A chunk of findings as JSON lines, in the order of the table. */
export const encodeFindings = (findings: readonly Finding[]): Buffer =>
  Buffer.from(findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''));

/** The findings of all chunks, in the order of the table. */
export async function* readFindings<Type extends PictureModelType>(
  store: ObjectStore,
  chunks: readonly AppliedChunk[],
): AsyncGenerator<Finding<Type>> {
  for (const { storeKey } of chunks) {
    const input = await store.get(storeKey);
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line) as Finding<Type>;
    } finally {
      input.destroy();
    }
  }
}
