import { hashedRandom } from './hashed-random';

/** Vectors stored consecutively. */
export interface Sample {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
}

/** The two directions of the largest variance, by power iteration. */
export function principalPlane(
  { count, dimension, vectors }: Sample,
  rounds: number,
): readonly [Float64Array, Float64Array] {
  const mean = new Float64Array(dimension);
  for (let at = 0; at < count * dimension; at++) mean[at % dimension]! += vectors[at]! / count;
  let axes: readonly Float64Array[] = [0, 1].map((axis) =>
    Float64Array.from(mean, (_, k) => hashedRandom(axis, k) - 0.5),
  );
  for (let round = 0; round < rounds; round++) {
    const sums = axes.map(() => new Float64Array(dimension));
    for (let row = 0; row < count; row++) {
      axes.forEach((axis, a) => {
        let along = 0;
        for (let k = 0; k < dimension; k++) along += axis[k]! * (vectors[row * dimension + k]! - mean[k]!);
        const sum = sums[a]!;
        for (let k = 0; k < dimension; k++) sum[k]! += along * (vectors[row * dimension + k]! - mean[k]!);
      });
    }
    axes = orthonormal(sums, axes);
  }
  return [axes[0]!, axes[1]!];
}

/** If the vectors do not vary along an axis, the axis of the previous round is kept. */
function orthonormal([first, second]: readonly Float64Array[], before: readonly Float64Array[]): Float64Array[] {
  const a = unit(first!, before[0]!);
  const along = a.reduce((sum, value, k) => sum + value * second![k]!, 0);
  const b = unit(
    second!.map((value, k) => value - along * a[k]!),
    before[1]!,
  );
  return [a, b];
}

function unit(vector: Float64Array, otherwise: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 1e-12 ? vector.map((value) => value / length) : otherwise;
}
