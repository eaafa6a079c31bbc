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
export function candidatesForBest(rows: Int32Array, ranking: RowRanking, limit: number): Int32Array {
  const { approximate, tolerance } = ranking;
  const bound = boundOfLowest(rows, approximate, limit) + 2 * tolerance;
  const near = rows.filter((row) => approximate[row]! <= bound);
  if (near.length <= MOST_CANDIDATES) return near;
  return near.sort((a, b) => approximate[a]! - approximate[b]! || a - b).slice(0, MOST_CANDIDATES);
}

/** The best rows by refined score, equal ones by ordinal. */
export async function bestRows(rows: Int32Array, ranking: RowRanking, limit: number): Promise<ScoredRow[]> {
  const candidates = candidatesForBest(rows, ranking, limit);
  const scores = await ranking.refine(candidates);
  const place = ({ ordinal }: ScoredRow): number => (ordinal === ranking.self ? -1 : ordinal);
  return Array.from(candidates, (ordinal, i) => ({ ordinal, score: scores[i]! }))
    .sort((a, b) => a.score - b.score || place(a) - place(b))
    .slice(0, limit);
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
