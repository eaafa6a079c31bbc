import { inSlices } from './in-slices';

const BUCKETS = 65_536;
/** Scores that lie closer than so many divisions can tell apart count as equal. */
const MOST_DIVISIONS = 4;

interface Range {
  readonly low: number;
  readonly high: number;
}

/** The places of the `wanted` lowest scores, rising, equal scores by place: nothing is sorted. Infinite ones never count. */
export async function lowestPlaces(scores: Float32Array, wanted: number): Promise<Int32Array> {
  let range = await rangeOf(scores, { low: -Infinity, high: Infinity });
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

export async function countFinite(scores: Float32Array): Promise<number> {
  let finite = 0;
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) if (scores[i]! < Infinity) finite++;
  });
  return finite;
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

/** Of the finite scores in a range, or in one bucket of it. */
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
