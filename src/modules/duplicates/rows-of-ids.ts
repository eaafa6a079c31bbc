import type { MediaTable } from '../../common/engine/media-table/media-table';
import { findOrdinals } from '../versions';

/** More are found faster by reading all ids. */
const MOST_FILTERED = 4_000;

/** The row of each id; ids that are not in the table are missing. */
export async function rowsOfIds(table: MediaTable, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  if (ids.size === 0) return new Map();
  return ids.size <= MOST_FILTERED ? filtered(table, ids) : scanned(table, ids);
}

async function filtered(table: MediaTable, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const ordinals = (await findOrdinals(table, [...ids])).rows.toArray();
  const rows = await table.takeRows(ordinals, ['id']);
  return new Map(rows.map(({ id }, at) => [id, ordinals[at]!]));
}

async function scanned(table: MediaTable, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { first, count, bytes, bounds } of table.readTexts('id')) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i++) {
      const id = text.toString('latin1', bounds[i], bounds[i + 1]);
      if (ids.has(id)) found.set(id, first + i);
    }
  }
  return found;
}

const ID_BYTES = 36;

/** Reads the ids of rows: of a few by taking them, of many by reading the column. */
export async function idsOfRows(table: MediaTable, rows: Int32Array): Promise<(row: number) => string> {
  if (rows.length <= MOST_FILTERED) {
    const taken = await table.takeRows(rows, ['id']);
    const ids = new Map(Array.from(rows, (row, at) => [row, taken[at]!.id]));
    return (row) => ids.get(row)!;
  }
  const all = Buffer.alloc(table.rows * ID_BYTES);
  for await (const { first, count, bytes, bounds } of table.readTexts('id'))
    all.set(bytes.subarray(bounds[0], bounds[count]), first * ID_BYTES);
  return (row) => all.toString('latin1', row * ID_BYTES, (row + 1) * ID_BYTES);
}
