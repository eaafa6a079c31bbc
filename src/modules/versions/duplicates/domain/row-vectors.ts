import { Pace } from '../../../../common/platform/concurrency/in-slices';

/** Reads the vectors of rows, concatenated in the given order. */
export type ReadVectors = (rows: Int32Array) => Promise<Float32Array>;

/** Vectors of some rows, for exact cosines. */
export class RowVectors {
  private constructor(
    private readonly vectors: Float32Array,
    private readonly norms: Float64Array,
    private readonly places: ReadonlyMap<number, number>,
    readonly dimension: number,
  ) {}

  static async read(rows: Int32Array, read: ReadVectors): Promise<RowVectors> {
    const vectors = await read(rows);
    const dimension = rows.length === 0 ? 0 : vectors.length / rows.length;
    const norms = new Float64Array(rows.length);
    const places = new Map<number, number>();
    const pace = new Pace();
    for (let place = 0; place < rows.length; place++) {
      places.set(rows[place]!, place);
      norms[place] = Math.sqrt(dot(vectors, place * dimension, place * dimension, dimension));
      const pause = pace.after(dimension);
      if (pause !== undefined) await pause;
    }
    return new RowVectors(vectors, norms, places, dimension);
  }

  cosine(first: number, second: number): number {
    const a = this.places.get(first)!;
    const b = this.places.get(second)!;
    const { vectors, norms, dimension } = this;
    return dot(vectors, a * dimension, b * dimension, dimension) / (norms[a]! * norms[b]!);
  }
}

function dot(vectors: Float32Array, first: number, second: number, dimension: number): number {
  let sum = 0;
  for (let at = 0; at < dimension; at++) sum += vectors[first + at]! * vectors[second + at]!;
  return sum;
}
