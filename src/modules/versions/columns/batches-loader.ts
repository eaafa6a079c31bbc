import type { MediaTable } from '../../../common/engine/media-table/media-table';

export interface RowBatches {
  /** Of each row, an index into the ids. */
  readonly batch: Int32Array;
  readonly batchIds: readonly string[];
}

/** The batch that each row was added with. */
export async function loadBatches(table: MediaTable): Promise<RowBatches> {
  const batch = new Int32Array(table.rows);
  const numbers = new Map<string, number>();
  for await (const { first, count, bytes, bounds } of table.readTexts('batch_id')) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i++) {
      const id = text.toString('latin1', bounds[i], bounds[i + 1]);
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      batch[first + i] = number;
    }
  }
  return { batch, batchIds: [...numbers.keys()] };
}
