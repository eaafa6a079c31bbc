import type { TopLists } from '../vectors/top-lists';
import { NEAR_COPY } from './label-lists';

const MIN_SCALE = 1e-3;

/**
 * The weights of neighbours as voters, with a mean of 1 per row. They fall with the distance relative to the local scales of both rows, so a
 * neighbour in a dense region has little weight for a row outside it. Near copies, which come first, weigh 1 and do not affect the weights of the
 * others.
 */
export function neighbourWeights({ keys, scores, length }: TopLists): Float32Array {
  const rows = keys.length / length;
  const weights = new Float32Array(keys.length).fill(1);
  const scales = Float64Array.from({ length: rows }, (_, row) => {
    const [from, to] = others(row);
    return from === to ? MIN_SCALE : Math.max(MIN_SCALE, 1 - scores[(from + to) >> 1]!);
  });
  for (let row = 0; row < rows; row++) {
    const [from, to] = others(row);
    let sum = 0;
    for (let at = from; at < to; at++) {
      const distance = 1 - scores[at]!;
      weights[at] = Math.exp(-(distance * distance) / (scales[row]! * scales[keys[at]!]!));
      sum += weights[at]!;
    }
    for (let at = from; at < to; at++) weights[at] = sum > 0 ? (weights[at]! * (to - from)) / sum : 1;
  }
  return weights;

  /** The range of the neighbours that are not near copies. */
  function others(row: number): [from: number, to: number] {
    const end = (row + 1) * length;
    let from = row * length;
    while (from < end && scores[from]! >= NEAR_COPY) from += 1;
    let to = from;
    while (to < end && keys[to] !== -1) to += 1;
    return [from, to];
  }
}
