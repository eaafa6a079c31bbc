/** Null for a vector without a direction: all zeros, or not all finite. */
export function unitVector(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}
