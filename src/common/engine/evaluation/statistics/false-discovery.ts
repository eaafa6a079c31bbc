/** Which of several tests are findings, so that the expected share of false ones is at most `share` (Benjamini and Hochberg). */
export function discoveries(chances: readonly number[], share: number): Uint8Array {
  const order = Array.from(chances.keys()).sort((a, b) => chances[a]! - chances[b]!);
  const found = order.findLastIndex((at, nth) => chances[at]! <= ((nth + 1) * share) / chances.length) + 1;
  const isFound = new Uint8Array(chances.length);
  for (const at of order.slice(0, found)) isFound[at] = 1;
  return isFound;
}
