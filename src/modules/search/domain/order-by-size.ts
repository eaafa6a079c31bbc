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
