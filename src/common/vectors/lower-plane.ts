import { QueryColumns, type PlaneScorer } from './plane-scorer';
import { BLOCK_ROWS, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';

const GATHERED_ROWS = 4096;

/** From this part of all rows on, to go through all of them is faster than to gather those asked for. */
const DENSE = 1 / 8;

/** Adds to distances by the upper plane what the lower one knows. */
export class LowerPlane {
  private readonly columns: QueryColumns;

  constructor(
    private readonly scorer: PlaneScorer,
    private readonly blocks: readonly QuantisedRows[],
    private readonly dimension: number,
    query: QueryDigits,
  ) {
    this.columns = new QueryColumns([query], 1);
  }

  /** In the order asked; `distances` are those of all rows. */
  async refine(distances: Float32Array, ordinals: Int32Array): Promise<Float32Array> {
    if (ordinals.length > distances.length * DENSE) return this.refineDense(distances, ordinals);
    const refined = new Float32Array(ordinals.length);
    const rows = Math.min(GATHERED_ROWS, ordinals.length);
    const bytes = new Uint8Array(rows * this.dimension);
    const negativeScale = new Float32Array(rows);
    const base = new Float32Array(rows);
    for (let first = 0; first < ordinals.length; first += rows) {
      const count = Math.min(rows, ordinals.length - first);
      for (let at = 0; at < count; at++) {
        const ordinal = ordinals[first + at]!;
        const block = this.blocks[Math.floor(ordinal / BLOCK_ROWS)]!;
        const row = ordinal % BLOCK_ROWS;
        bytes.set(block.lower.subarray(row * this.dimension, (row + 1) * this.dimension), at * this.dimension);
        negativeScale[at] = block.negativeScale[row]!;
        base[at] = distances[ordinal]!;
      }
      const part = {
        bytes: bytes.subarray(0, count * this.dimension),
        negativeScale: negativeScale.subarray(0, count),
        base: base.subarray(0, count),
      };
      await this.scorer.score(part, this.columns, refined.subarray(first, first + count));
    }
    return refined;
  }

  private async refineDense(distances: Float32Array, ordinals: Int32Array): Promise<Float32Array> {
    const all = new Float32Array(distances.length);
    for (const [index, { lower, negativeScale, count }] of this.blocks.entries()) {
      const first = index * BLOCK_ROWS;
      const base = distances.subarray(first, first + count);
      await this.scorer.score({ bytes: lower, negativeScale, base }, this.columns, all.subarray(first, first + count));
    }
    const refined = new Float32Array(ordinals.length);
    for (let at = 0; at < ordinals.length; at++) refined[at] = all[ordinals[at]!]!;
    return refined;
  }
}
