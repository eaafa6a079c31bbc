import type { NearPairs } from '../../../../common/engine/media-table/edges-file';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';

/** Sets of identical rows, represented by their lowest row. */
export class SameRows {
  private constructor(
    /** The lowest row of each row's set. */
    readonly first: Int32Array,
    /** The size of each set, at its lowest row. */
    readonly copies: Int32Array,
  ) {}

  /** Merges the rows of all pairs with at least `cosine`. */
  static async joinedBy(pairs: NearPairs, cosine: number, rows: number): Promise<SameRows> {
    const first = new Int32Array(rows);
    const copies = new Int32Array(rows);
    await inSlices(rows, (start, end) => {
      for (let row = start; row < end; row++) first[row] = row;
    });
    await inSlices(pairs.first.length, (start, end) => {
      for (let pair = start; pair < end; pair++) if (pairs.cosine[pair]! >= cosine) join(first, pairs, pair, rows);
    });
    await inSlices(rows, (start, end) => {
      for (let row = start; row < end; row++) {
        first[row] = lowest(first, row);
        copies[first[row]!]! += 1;
      }
    });
    return new SameRows(first, copies);
  }
}

function join(first: Int32Array, pairs: NearPairs, pair: number, rows: number): void {
  if (pairs.first[pair]! >= rows || pairs.second[pair]! >= rows) return;
  const a = lowest(first, pairs.first[pair]!);
  const b = lowest(first, pairs.second[pair]!);
  first[Math.max(a, b)] = Math.min(a, b);
}

function lowest(first: Int32Array, row: number): number {
  let at = row;
  while (first[at] !== at) {
    first[at] = first[first[at]!]!;
    at = first[at]!;
  }
  return at;
}
