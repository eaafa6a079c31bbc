import type { NearPairs } from '../../../../common/engine/media-table/edges-file';
import { inSlices } from '../../domain/in-slices';

/** Rows that are the same, each set named by its lowest row. */
export class SameRows {
  private constructor(
    /** For each row the lowest of its set. */
    readonly first: Int32Array,
    /** For the lowest row of each set, how many they are. */
    readonly copies: Int32Array,
  ) {}

  /** Joins what pairs of at least `cosine` join. */
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
