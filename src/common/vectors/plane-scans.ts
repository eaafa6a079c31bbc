import { lowerQuery, type LowerScorer } from './lower-scorer';
import { QueryRows, type PanelScorer } from './panel-scorer';
import { BLOCK_ROWS, PANEL_ROWS, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';

const GATHERED_ROWS = 4096;

/** From this part of all rows on, to go through all of them is faster than to gather those asked for. */
const DENSE = 1 / 8;

const rowsIn = (blocks: readonly QuantisedRows[]): number => blocks.reduce((rows, { count }) => rows + count, 0);

/** Query after query, the distances of all rows by the upper plane. */
export async function scanUpper(
  scorer: PanelScorer,
  blocks: readonly QuantisedRows[],
  queries: readonly QueryDigits[],
): Promise<Float32Array[]> {
  const asked = new QueryRows(queries);
  const rows = rowsIn(blocks);
  const found = queries.map(() => new Float32Array(rows));
  const scored = new Float32Array(asked.count * Math.max(0, ...blocks.map((block) => block.negativeScale.length)));
  for (const [index, block] of blocks.entries()) {
    const panels = block.negativeScale.length / PANEL_ROWS;
    await scorer.score(block, asked, scored.subarray(0, panels * asked.count * PANEL_ROWS));
    for (let panel = 0; panel < panels; panel++) {
      const inPanel = Math.min(PANEL_ROWS, block.count - panel * PANEL_ROWS);
      for (const [at, distances] of found.entries()) {
        const start = (panel * asked.count + at) * PANEL_ROWS;
        distances.set(scored.subarray(start, start + inPanel), index * BLOCK_ROWS + panel * PANEL_ROWS);
      }
    }
  }
  return found;
}

/** What the lower plane adds to the distances of these rows. */
export async function scanLower(
  scorer: LowerScorer,
  blocks: readonly QuantisedRows[],
  query: QueryDigits,
  ordinals: Int32Array,
): Promise<Float32Array> {
  if (ordinals.length > rowsIn(blocks) * DENSE) return lowerOfAll(scorer, blocks, query, ordinals);
  const asked = lowerQuery(query);
  const added = new Float32Array(ordinals.length);
  const rows = Math.min(GATHERED_ROWS, ordinals.length);
  const bytes = new Uint8Array(rows * query.dimension);
  const negativeScale = new Float32Array(rows);
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
    };
    await scorer.score(part, asked, added.subarray(first, first + some.length));
  }
  return added;
}

async function lowerOfAll(
  scorer: LowerScorer,
  blocks: readonly QuantisedRows[],
  query: QueryDigits,
  ordinals: Int32Array,
): Promise<Float32Array> {
  const asked = lowerQuery(query);
  const all = new Float32Array(rowsIn(blocks));
  for (const [index, { lower, negativeScale, count }] of blocks.entries()) {
    const first = index * BLOCK_ROWS;
    const part = { bytes: lower, negativeScale: negativeScale.subarray(0, count) };
    await scorer.score(part, asked, all.subarray(first, first + count));
  }
  return Float32Array.from(ordinals, (ordinal) => all[ordinal]!);
}
