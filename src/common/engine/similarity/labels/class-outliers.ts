import { NEAR_COPY, type JudgedItems } from './label-lists';
import { grouped, type LabelVoters } from './label-voters';

/** The number of nearest items with the same label in the mean distance. */
const NEAREST_ALIKE = 3;
/** With fewer items, quartiles are meaningless. */
const MIN_MEMBERS = 8;
/** A label with at least this doubt is not checked for outliers. */
const DOUBTED = 0.5;
/** Beyond the upper quartile by this many times the distance between the quartiles: the usual fence of box plots. */
const FENCE = 1.5;
/** The least distance between the quartiles, relative to the upper one. */
const MIN_SPREAD = 0.1;
const NOT_JUDGED = -1;

/**
 * How far items are from others with the same label, relative to the label: 0 up to the median, 1 from the fence on. Writes the largest value among
 * an item's labels.
 */
export function classOutliers(
  items: JudgedItems,
  voters: LabelVoters,
  doubt: Float32Array,
  confidence: Float32Array,
): void {
  const { labels } = items;
  const distance = new Float32Array(labels.values.length).fill(NOT_JUDGED);
  for (let item = 0; item + 1 < labels.start.length; item++)
    for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++)
      if (doubt[at]! < DOUBTED) distance[at] = distanceToAlike(items, voters, item, labels.values[at]!);
  const scaled = scaledByLabel(labels.values, labels.count, distance);
  for (let item = 0; item + 1 < labels.start.length; item++)
    for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++)
      confidence[item] = Math.max(confidence[item]!, scaled[at]!);
}

/** Near copies do not count. Items with the label outside the list of neighbours are at least as far away as the last neighbour. */
function distanceToAlike(
  { distinct, neighbours }: JudgedItems,
  voters: LabelVoters,
  item: number,
  label: number,
): number {
  const row = distinct.distinctOf[item]!;
  let sum = 0;
  let found = 0;
  let last = NOT_JUDGED;
  for (let at = row * neighbours.length; at < (row + 1) * neighbours.length && found < NEAREST_ALIKE; at++) {
    const voter = neighbours.keys[at]!;
    if (voter === -1) break;
    last = Math.max(0, 1 - neighbours.scores[at]!);
    if (neighbours.scores[at]! >= NEAR_COPY || voters.shareOf(voter, label) === 0) continue;
    sum += last;
    found += 1;
  }
  return last === NOT_JUDGED ? NOT_JUDGED : (sum + (NEAREST_ALIKE - found) * last) / NEAREST_ALIKE;
}

function scaledByLabel(labelOf: Int32Array, labels: number, distance: Float32Array): Float32Array {
  const scaled = new Float32Array(distance.length);
  const { start, item: places } = grouped(labelOf, labels);
  for (let label = 0; label < labels; label++) {
    const judged = places.subarray(start[label], start[label + 1]).filter((at) => distance[at] !== NOT_JUDGED);
    if (judged.length < MIN_MEMBERS) continue;
    const rising = Float32Array.from(judged, (at) => distance[at]!).sort();
    const quantile = (part: number): number => rising[Math.floor(part * (rising.length - 1))]!;
    const [lower, middle, upper] = [quantile(0.25), quantile(0.5), quantile(0.75)];
    const fence = upper + FENCE * Math.max(upper - lower, MIN_SPREAD * upper);
    if (fence <= middle) continue;
    for (const at of judged) scaled[at] = Math.min(1, Math.max(0, (distance[at]! - middle) / (fence - middle)));
  }
  return scaled;
}
