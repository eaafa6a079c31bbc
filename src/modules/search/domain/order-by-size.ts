import { inSlices } from './in-slices';

/** The places of the sizes above zero, by falling size, equal sizes by place: a counting sort. */
export async function orderBySize(sizes: Int32Array): Promise<Int32Array> {
  let largest = 0;
  let filled = 0;
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) {
      if (sizes[i]! > 0) filled++;
      if (sizes[i]! > largest) largest = sizes[i]!;
    }
  });
  const perSize = new Int32Array(largest + 1);
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) perSize[sizes[i]!]!++;
  });
  // From counts to where each size begins, the largest first.
  let begin = 0;
  await inSlices(largest, (start, end) => {
    for (let i = start; i < end; i++) {
      const size = largest - i;
      const count = perSize[size]!;
      perSize[size] = begin;
      begin += count;
    }
  });
  const order = new Int32Array(filled);
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) if (sizes[i]! > 0) order[perSize[sizes[i]!]!++] = i;
  });
  return order;
}

/** Sizes from here on are told apart by sorting: few clusters are that large. */
const COUNTED_SIZES = 4096;

const MOST_SORTED = 4096;

/** The places of the `wanted` largest sizes above zero as `orderBySize` has them, and how many there are in all. */
export async function largestPlaces(
  sizes: Int32Array,
  wanted: number,
): Promise<{ places: Int32Array; filled: number }> {
  if (wanted > MOST_SORTED) {
    const order = await orderBySize(sizes);
    return { places: order.subarray(0, wanted), filled: order.length };
  }
  const perSize = new Int32Array(COUNTED_SIZES);
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) perSize[Math.min(sizes[i]!, COUNTED_SIZES - 1)]!++;
  });
  const filled = sizes.length - perSize[0]!;
  let least = COUNTED_SIZES;
  let larger = 0;
  while (least > 1 && larger < wanted) larger += perSize[--least]!;
  const equal = wanted - (larger - (perSize[least] ?? 0));
  const places: number[] = [];
  let taken = 0;
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const size = sizes[i]!;
      if (size < least || (size === least && least < COUNTED_SIZES - 1 && ++taken > equal)) continue;
      places.push(i);
    }
  });
  places.sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  return { places: Int32Array.from(places.slice(0, wanted)), filled };
}
