const BITS = 16;
const DIGITS = 4;
/** Up to this number, comparing takes less time than counting. */
const FEW = 2_048;

/** Sorts places by their confidences, the highest first; of equals, those that were before stay before. */
export function byFallingConfidence(places: Int32Array, confidences: Float64Array): Int32Array {
  if (places.length <= FEW) return places.sort((a, b) => confidences[b]! - confidences[a]!);
  const size = places.length;
  const keys = new Float64Array(size);
  let [order, next] = [new Int32Array(size), new Int32Array(size)];
  for (let at = 0; at < size; at++) {
    order[at] = at;
    // The bits of positive numbers, as 0 + 0 is, are in the order of the numbers.
    keys[at] = confidences[places[at]!]! + 0;
  }
  const digits = new Uint16Array(keys.buffer);
  const firsts = new Int32Array((1 << BITS) + 1);
  for (let digit = 0; digit < DIGITS; digit++) {
    firsts.fill(0);
    for (let at = digit; at < digits.length; at += DIGITS) firsts[(1 << BITS) - digits[at]!]! += 1;
    for (let value = 0; value < 1 << BITS; value++) firsts[value + 1]! += firsts[value]!;
    for (let i = 0; i < size; i++) next[firsts[(1 << BITS) - 1 - digits[order[i]! * DIGITS + digit]!]!++] = order[i]!;
    [order, next] = [next, order];
  }
  for (let at = 0; at < size; at++) next[at] = places[order[at]!]!;
  return next;
}
