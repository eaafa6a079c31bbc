/** How near each row comes to what is searched for: the lower the better. */
export interface RowRanking {
  /** By ordinal; Infinity for rows that are no result. */
  readonly approximate: Float32Array;
  /** A true score lies no further from the approximate one. */
  readonly tolerance: number;
  /** Comes before all others of its score: what was searched with. */
  readonly self?: number | undefined;
  /** The scores to order and show by. */
  refine(ordinals: Int32Array): Promise<Float32Array>;
}

export interface ScoredRow {
  readonly ordinal: number;
  readonly score: number;
}

/** Of rows that can't be told apart by approximate score so many are looked at; with more, any of them will do. */
const MOST_CANDIDATES = 1024;

/** The rows that may be among the `limit` best, by rising approximate score. */
function candidatesForBest(rows: Int32Array, ranking: RowRanking, limit: number): Int32Array {
  const { approximate, tolerance } = ranking;
  const bound = boundOfLowest(rows, approximate, limit) + 2 * tolerance;
  const near = rows.filter((row) => approximate[row]! <= bound);
  if (near.length <= MOST_CANDIDATES) return near;
  return near.sort((a, b) => approximate[a]! - approximate[b]! || a - b).slice(0, MOST_CANDIDATES);
}

/** Of each list of rows the best by refined score, equal ones by ordinal; all lists are refined at once. */
export async function bestRows(
  lists: readonly Int32Array[],
  ranking: RowRanking,
  limit: number,
): Promise<ScoredRow[][]> {
  const candidates = lists.map((rows) => candidatesForBest(rows, ranking, limit));
  const scores = await ranking.refine(joined(candidates));
  const place = ({ ordinal }: ScoredRow): number => (ordinal === ranking.self ? -1 : ordinal);
  let from = 0;
  return candidates.map((rows) => {
    const first = from;
    from += rows.length;
    return Array.from(rows, (ordinal, i) => ({ ordinal, score: scores[first + i]! }))
      .sort((a, b) => a.score - b.score || place(a) - place(b))
      .slice(0, limit);
  });
}

function joined(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all;
}

/** The score of the `limit`-th lowest row. */
function boundOfLowest(rows: Int32Array, approximate: Float32Array, limit: number): number {
  const lowest = new Float64Array(Math.min(limit, rows.length)).fill(Infinity);
  const last = lowest.length - 1;
  for (const row of rows) {
    const score = approximate[row]!;
    if (score >= lowest[last]!) continue;
    let at = last;
    for (; at > 0 && lowest[at - 1]! > score; at--) lowest[at] = lowest[at - 1]!;
    lowest[at] = score;
  }
  return lowest[last] ?? -Infinity;
}
