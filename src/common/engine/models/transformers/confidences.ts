/** Of one row of logits. */
export function softmax(logits: Float32Array): Float32Array {
  const highest = logits.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = logits.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

export const sigmoid = (logits: Float32Array): Float32Array => logits.map((value) => 1 / (1 + Math.exp(-value)));
