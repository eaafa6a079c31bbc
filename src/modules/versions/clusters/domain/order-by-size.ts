import { inSlices } from '../../../../common/platform/concurrency/in-slices';

/** The indices of sizes above zero, by falling size, then by index: a counting sort. */
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
  // Turn counts into start offsets, largest size first.
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

/** Larger sizes are sorted by comparison: few clusters are that large. */
const COUNTED_SIZES = 4096;

const MOST_SORTED = 4096;

/** The first `wanted` indices in the order of `orderBySize`, and the number of sizes above zero. */
export async function largestPlaces(
  sizes: Int32Array,
  wanted: number,
): Promise<{ places: Int32Array; filled: number }> {
  if (wanted > MOST_SORTED) {
    const order = await orderBySize(sizes);
    return { places: order.subarray(0, wanted), filled: order.length };
  }
  const perSize = new Int32Array(COUNTED_SIZES);
  let filled = 0;
  await inSlices(sizes.length, (start, end) => {
    for (let i = start; i < end; i++) {
      if (sizes[i] === 0) continue;
      filled++;
      perSize[Math.min(sizes[i]!, COUNTED_SIZES - 1)]!++;
    }
  });
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
