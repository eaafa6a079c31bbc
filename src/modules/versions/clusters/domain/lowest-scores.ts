import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { rowsOfRuns, type ScoresAtOnce } from '../../../../common/engine/vectors/found-distances';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';

const BUCKETS = 65_536;
/** Larger than all finite scores. */
const FARTHEST = Number.MAX_VALUE;
/** Limits the divisions of a range; scores that are still closer count as equal. */
const MOST_DIVISIONS = 4;

interface Range {
  readonly low: number;
  readonly high: number;
}

/** The indices of the `wanted` lowest scores, ascending, ties by index. Uses buckets instead of sorting; infinite scores are skipped. */
export async function lowestPlaces(scores: Float32Array, wanted: number): Promise<Int32Array> {
  let range: Range = await rangeOf(scores, { low: -Infinity, high: Infinity });
  let below = 0;
  for (let division = 0; range.low < range.high && division < MOST_DIVISIONS; division++) {
    const counts = await countsOf(scores, range);
    let bucket = 0;
    while (bucket < BUCKETS && below + counts[bucket]! < wanted) below += counts[bucket++]!;
    if (bucket === BUCKETS) {
      range = { low: Infinity, high: Infinity };
      break;
    }
    range = await rangeOf(scores, range, bucket);
  }
  const places = new Int32Array(Math.min(wanted, scores.length));
  let end = 0;
  let equal = wanted - below;
  await inSlices(scores.length, (start, stop) => {
    for (let i = start; i < stop && end < wanted; i++) {
      const score = scores[i]!;
      if (score < range.low || (score <= range.high && score < Infinity && equal-- > 0)) places[end++] = i;
    }
  });
  return places.slice(0, end);
}

/**
 * The indices of the `wanted` lowest scores and of those within `margin` above them, in index order;
 * may include a few more. The margin adds at most `more`. `finite` is the number of finite scores.
 */
export async function atMostTheLowest(
  scores: Float32Array,
  wanted: number,
  margin: number,
  more: number,
): Promise<{ places: Int32Array; finite: number }> {
  const finite = await countFinite(scores);
  const bound = wanted < finite ? selected(scores.slice(), wanted - 1) + margin : FARTHEST;
  const places = await placesUpTo(scores, bound, Math.min(wanted + more, finite));
  // Too many: many scores are nearly equal, so select among them exactly.
  return { places: places.length < wanted + more ? places : await lowestPlaces(scores, wanted + more), finite };
}

export interface LowestRows {
  /** All whose score is at most the bound. */
  readonly rows: Int32Array;
  readonly bound: number;
  /** Whether all rows, also those above the bound, have a finite score. */
  readonly areAllFinite: boolean;
}

const SAMPLES = 4096;

/** Of all rows. */
export interface Scores {
  /** By ordinal; Infinity for rows that are not results. */
  readonly approximate: Float32Array;
  readonly atOnce?: ScoresAtOnce | undefined;
}

/** The same rows, in two ways. */
export interface ManyRows {
  readonly rows: Int32Array;
  readonly set: OrdinalSet;
}

/** Of many rows some `wanted` with the lowest scores. The bound is that of a sample; undefined if the sample tells too little. */
export async function lowestRows(
  { rows, set }: ManyRows,
  { approximate: scores, atOnce }: Scores,
  wanted: number,
): Promise<LowestRows | undefined> {
  const step = rows.length / SAMPLES;
  const sample = Float32Array.from({ length: SAMPLES }, (_, at) => scores[rows[Math.floor(at * step)]!]!).sort();
  const bound = sample[Math.ceil(wanted / step)] ?? Infinity;
  if (bound === Infinity) return undefined;
  const near = atOnce && rowsOfRuns(atOnce, scores.length, bound);
  const looked = near ?? rows;
  const found = { rows: new Int32Array(2 * wanted), count: 0, areAllFinite: true };
  await inSlices(looked.length, (start, stop) => addUpTo(bound, looked.subarray(start, stop), set, scores, found));
  if (found.count === found.rows.length) return undefined;
  const areAllFinite =
    near === undefined ? found.areAllFinite : atOnce?.scored !== undefined && set.isWithin(atOnce.scored);
  return { rows: found.rows.subarray(0, found.count), bound, areAllFinite };
}

interface FoundRows {
  readonly rows: Int32Array;
  count: number;
  areAllFinite: boolean;
}

/** Those of a set, until it is full. */
function addUpTo(bound: number, rows: Int32Array, set: OrdinalSet, scores: Float32Array, found: FoundRows): void {
  const { rows: into } = found;
  let { count, areAllFinite } = found;
  for (let i = 0; i < rows.length && count < into.length; i++) {
    const score = scores[rows[i]!]!;
    if (score === Infinity) areAllFinite = false;
    else if (score <= bound && set.has(rows[i]!)) into[count++] = rows[i]!;
  }
  found.count = count;
  found.areAllFinite = areAllFinite;
}

/** The rows with at most that score: all of them, or a copy. Takes a fraction of the time of `filter`. */
export function rowsUpTo(bound: number, rows: Int32Array, scores: Float32Array): Int32Array {
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (scores[rows[i]!]! <= bound) count++;
  if (count === rows.length) return rows;
  const found = new Int32Array(count);
  for (let i = 0, end = 0; end < count; i++) if (scores[rows[i]!]! <= bound) found[end++] = rows[i]!;
  return found;
}

/** The rows that have a score. */
export const scoredRows = (rows: Int32Array, scores: Float32Array): Int32Array => rowsUpTo(FARTHEST, rows, scores);

async function countFinite(scores: Float32Array): Promise<number> {
  let finite = 0;
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) finite += Number(scores[i]! < Infinity);
  });
  return finite;
}

/** Quickselect: the value at an index of the sorted order; reorders the values. */
function selected(scores: Float32Array, place: number): number {
  for (let [first, last] = [0, scores.length - 1]; first < last;) {
    const pivot = scores[(first + last) >> 1]!;
    let [low, high] = [first, last];
    while (low <= high) {
      while (scores[low]! < pivot) low++;
      while (scores[high]! > pivot) high--;
      if (low > high) break;
      const score = scores[low]!;
      scores[low++] = scores[high]!;
      scores[high--] = score;
    }
    if (place <= high) last = high;
    else if (place >= low) first = low;
    else break;
  }
  return scores[place]!;
}

async function placesUpTo(scores: Float32Array, bound: number, most: number): Promise<Int32Array> {
  const places = new Int32Array(most);
  let end = 0;
  await inSlices(scores.length, (start, stop) => {
    for (let i = start; i < stop && end < most; i++) if (scores[i]! <= bound) places[end++] = i;
  });
  return places.subarray(0, end);
}

const bucketOf = (score: number, { low, high }: Range): number =>
  Math.min(BUCKETS - 1, Math.floor(((score - low) / (high - low)) * BUCKETS));

async function countsOf(scores: Float32Array, range: Range): Promise<Int32Array> {
  const counts = new Int32Array(BUCKETS);
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const score = scores[i]!;
      if (score >= range.low && score <= range.high) counts[bucketOf(score, range)]!++;
    }
  });
  return counts;
}

/** Counts finite scores by bucket, in a range or in one bucket of it. */
async function rangeOf(scores: Float32Array, within: Range, bucket?: number): Promise<Range> {
  let low = Infinity;
  let high = -Infinity;
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const score = scores[i]!;
      if (score === Infinity || score < within.low || score > within.high) continue;
      if (bucket !== undefined && bucketOf(score, within) !== bucket) continue;
      if (score < low) low = score;
      if (score > high) high = score;
    }
  });
  return { low, high };
}
