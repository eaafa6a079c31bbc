import { rowsUpTo, type Scores } from './lowest-scores';

/** Scores of rows for a search; lower is better. */
export interface RowRanking extends Scores {
  /** The only rows that are results, ascending, where they are few; others have to be looked for among all. */
  readonly rows?: Int32Array | undefined;
  /** Maximum difference between the exact and the approximate score. */
  readonly tolerance: number;
  /** The anchor's row, which comes before others with the same score. */
  readonly self?: number | undefined;
  /** The exact scores, for ordering and display. */
  refine(ordinals: Int32Array): Promise<Float32Array>;
}

export interface ScoredRow {
  readonly ordinal: number;
  readonly score: number;
}

/** Limit of rows with indistinguishable approximate scores that are refined; beyond it, any of them may be returned. */
const MOST_CANDIDATES = 1024;

/** The rows that may be among the `limit` best, ordered by approximate score. */
function candidatesForBest(rows: Int32Array, ranking: RowRanking, limit: number): Int32Array {
  const { approximate, tolerance } = ranking;
  const bound = boundOfLowest(rows, approximate, limit) + 2 * tolerance;
  const near = rowsUpTo(bound, rows, approximate);
  if (near.length <= MOST_CANDIDATES) return near;
  return near.toSorted((a, b) => approximate[a]! - approximate[b]! || a - b).slice(0, MOST_CANDIDATES);
}

/** The best rows of each list by exact score, ties by ordinal; all lists are refined together. */
export async function bestRows(
  lists: readonly Int32Array[],
  ranking: RowRanking,
  limit: number,
): Promise<ScoredRow[][]> {
  const candidates = lists.map((rows) => candidatesForBest(rows, ranking, limit));
  const scores = await ranking.refine(joined(candidates));
  let from = 0;
  return candidates.map((rows) => {
    const first = from;
    from += rows.length;
    return lowestOf(rows, scores.subarray(first, from), ranking.self, limit);
  });
}

/** In their order. Most of many candidates are not among them, and take no memory. */
function lowestOf(rows: Int32Array, scores: Float32Array, self: number | undefined, limit: number): ScoredRow[] {
  const place = (ordinal: number): number => (ordinal === self ? -1 : ordinal);
  const lowest: ScoredRow[] = [];
  for (let i = 0; i < rows.length; i++) {
    const [ordinal, score] = [rows[i]!, scores[i]!];
    if (lowest.length === limit && score > lowest[limit - 1]!.score) continue;
    let at = lowest.length;
    for (; at > 0; at--) {
      const before = lowest[at - 1]!;
      if (before.score < score || (before.score === score && place(before.ordinal) < place(ordinal))) break;
    }
    lowest.splice(at, 0, { ordinal, score });
    if (lowest.length > limit) lowest.pop();
  }
  return lowest;
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
