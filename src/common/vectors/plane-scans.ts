import { QueryColumns, type PlaneScorer } from './plane-scorer';
import { BLOCK_ROWS, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';

const GATHERED_ROWS = 4096;

/** From this part of all rows on, to go through all of them is faster than to gather those asked for. */
const DENSE = 1 / 8;

const rowsIn = (blocks: readonly QuantisedRows[]): number => blocks.reduce((rows, { count }) => rows + count, 0);

/** Query after query, the distances of all rows by the upper plane. */
export async function scanUpper(
  scorer: PlaneScorer,
  blocks: readonly QuantisedRows[],
  queries: readonly QueryDigits[],
): Promise<Float32Array[]> {
  const columns = new QueryColumns(queries, 256);
  const rows = rowsIn(blocks);
  const found = queries.map(() => new Float32Array(rows));
  const together = new Float32Array(queries.length * Math.min(rows, BLOCK_ROWS));
  for (const [index, { upper, negativeScale, farthest, count }] of blocks.entries()) {
    const part = together.subarray(0, queries.length * count);
    await scorer.score({ bytes: upper, negativeScale, base: farthest }, columns, part);
    found.forEach((distances, at) => distances.set(part.subarray(at * count, (at + 1) * count), index * BLOCK_ROWS));
  }
  return found;
}

/** What the lower plane adds to the distances of these rows. */
export async function scanLower(
  scorer: PlaneScorer,
  blocks: readonly QuantisedRows[],
  query: QueryDigits,
  ordinals: Int32Array,
): Promise<Float32Array> {
  const columns = new QueryColumns([query], 1);
  if (ordinals.length > rowsIn(blocks) * DENSE) return lowerOfAll(scorer, blocks, columns, ordinals);
  const added = new Float32Array(ordinals.length);
  const rows = Math.min(GATHERED_ROWS, ordinals.length);
  const bytes = new Uint8Array(rows * query.dimension);
  const negativeScale = new Float32Array(rows);
  const base = new Float32Array(rows);
  for (let first = 0; first < ordinals.length; first += rows) {
    const some = ordinals.subarray(first, first + rows);
    some.forEach((ordinal, at) => {
      const block = blocks[Math.floor(ordinal / BLOCK_ROWS)]!;
      const start = (ordinal % BLOCK_ROWS) * query.dimension;
      bytes.set(block.lower.subarray(start, start + query.dimension), at * query.dimension);
      negativeScale[at] = block.negativeScale[ordinal % BLOCK_ROWS]!;
    });
    const part = {
      bytes: bytes.subarray(0, some.length * query.dimension),
      negativeScale: negativeScale.subarray(0, some.length),
      base: base.subarray(0, some.length),
    };
    await scorer.score(part, columns, added.subarray(first, first + some.length));
  }
  return added;
}

async function lowerOfAll(
  scorer: PlaneScorer,
  blocks: readonly QuantisedRows[],
  columns: QueryColumns,
  ordinals: Int32Array,
): Promise<Float32Array> {
  const all = new Float32Array(rowsIn(blocks));
  const zeros = new Float32Array(BLOCK_ROWS);
  for (const [index, { lower, negativeScale, count }] of blocks.entries()) {
    const first = index * BLOCK_ROWS;
    const part = { bytes: lower, negativeScale, base: zeros.subarray(0, count) };
    await scorer.score(part, columns, all.subarray(first, first + count));
  }
  const added = new Float32Array(ordinals.length);
  for (let at = 0; at < ordinals.length; at++) added[at] = all[ordinals[at]!]!;
  return added;
}
