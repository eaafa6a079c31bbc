/** The exact distance: computed in 64 bits from the stored numbers, 0..2; NaN if either vector is zero. */
export function cosineDistance(query: Float32Array, vectors: Float32Array, start: number): number {
  let dot = 0;
  let ours = 0;
  let theirs = 0;
  for (let at = 0; at < query.length; at++) {
    const a = query[at]!;
    const b = vectors[start + at]!;
    dot += a * b;
    ours += a * a;
    theirs += b * b;
  }
  return Math.min(2, Math.max(0, 1 - dot / Math.sqrt(ours * theirs)));
}
