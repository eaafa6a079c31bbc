import { Pace } from '../../../common/platform/concurrency/in-slices';

/** Sorted at once, which takes a few milliseconds. */
const AT_ONCE = 2 ** 13;

/** The place of each name in the order of all, by code units; names that are equal keep their order. */
export async function nameRanks(names: readonly string[]): Promise<Int32Array> {
  const pace = new Pace();
  const isBefore = (a: number, b: number): boolean => names[a]! < names[b]!;
  let sorted = Int32Array.from(names.keys());
  for (let start = 0; start < sorted.length; start += AT_ONCE) {
    await pace.after(AT_ONCE * Math.log2(AT_ONCE));
    sorted.subarray(start, start + AT_ONCE).sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : a - b));
  }
  for (let run = AT_ONCE; run < sorted.length; run *= 2) {
    const merged = new Int32Array(sorted.length);
    for (let start = 0; start < sorted.length; start += 2 * run) {
      const [middle, end] = [Math.min(start + run, sorted.length), Math.min(start + 2 * run, sorted.length)];
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (at % AT_ONCE === 0) await pace.after(AT_ONCE);
        const takesRight = left === middle || (right < end && isBefore(sorted[right]!, sorted[left]!));
        merged[at] = sorted[takesRight ? right++ : left++]!;
      }
    }
    sorted = merged;
  }
  const ranks = new Int32Array(names.length);
  for (const [rank, at] of sorted.entries()) ranks[at] = rank;
  return ranks;
}
