const BITS = 16;
const DIGITS = 4;
/** Up to this number, comparing takes less time than counting. */
const FEW = 2_048;

/** Sorts places by their confidences, the highest first; of equals, those that were before stay before. */
export function byFallingConfidence(places: Int32Array, confidences: Float64Array): Int32Array {
  if (places.length <= FEW) return places.sort((a, b) => confidences[b]! - confidences[a]!);
  // The bits of positive numbers, as 0 + 0 is, are in the order of the numbers.
  const keys = Float64Array.from(places, (place) => confidences[place]! + 0);
  const digits = new Uint16Array(keys.buffer);
  let order = Int32Array.from(places.keys());
  let next = new Int32Array(places.length);
  for (let digit = 0; digit < DIGITS; digit++) {
    const firsts = new Int32Array((1 << BITS) + 1);
    for (let at = digit; at < digits.length; at += DIGITS) firsts[(1 << BITS) - digits[at]!]! += 1;
    for (let value = 0; value < 1 << BITS; value++) firsts[value + 1]! += firsts[value]!;
    for (const at of order) next[firsts[(1 << BITS) - 1 - digits[at * DIGITS + digit]!]!++] = at;
    [order, next] = [next, order];
  }
  return order.map((at) => places[at]!);
}
