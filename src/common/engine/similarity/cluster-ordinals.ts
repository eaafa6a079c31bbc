import { sharedInt32 } from '../arithmetic/shared-arrays';

const NONE = -1;

/** Ordinals without gaps from 0, by descending size, then by lowest member. `name` returns the cluster of an item, as a number below `names`. */
export function clusterOrdinals(count: number, names: number, name: (item: number) => number): Int32Array {
  const arrival = new Int32Array(names).fill(NONE);
  const arrivals = sharedInt32(count);
  const sizes = new Int32Array(names);
  let clusters = 0;
  for (let item = 0; item < count; item++) {
    const key = name(item);
    if (arrival[key] === NONE) arrival[key] = clusters++;
    arrivals[item] = arrival[key]!;
    sizes[arrivals[item]!]! += 1;
  }
  const ordinal = descending(sizes.subarray(0, clusters));
  for (let item = 0; item < count; item++) arrivals[item] = ordinal[arrivals[item]!]!;
  return arrivals;
}

/** The rank of each value in descending order; equal values keep their order, so that equal clusters are ordered by their lowest members. */
function descending(values: Int32Array): Int32Array {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const start = new Int32Array(largest + 2);
  for (const value of values) start[largest - value + 1]! += 1;
  for (let at = 0; at <= largest; at++) start[at + 1]! += start[at]!;
  return values.map((value) => start[largest - value]!++);
}
