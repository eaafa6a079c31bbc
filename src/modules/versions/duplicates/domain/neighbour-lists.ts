import { inSlices, Pace } from '../../../../common/platform/concurrency/in-slices';

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

/** Pairs above the similarity, each once. */
export interface ChosenPairs {
  readonly count: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** The neighbours of each row, unordered. */
export class NeighbourLists {
  private constructor(
    /** Index of each row's first neighbour; one entry more than rows. */
    private readonly starts: Int32Array,
    private readonly rows: Int32Array,
    private readonly cosines: Float32Array,
  ) {}

  static async of({ count, first, second, cosine }: ChosenPairs, rows: number): Promise<NeighbourLists> {
    const starts = new Int32Array(rows + 1);
    await inSlices(count, (from, to) => {
      for (let pair = from; pair < to; pair++) {
        starts[first[pair]! + 1]! += 1;
        starts[second[pair]! + 1]! += 1;
      }
    });
    await inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) starts[row + 1]! += starts[row]!;
    });
    const next = starts.slice();
    const neighbours = new Int32Array(2 * count);
    const cosines = new Float32Array(2 * count);
    const add = (row: number, other: number, value: number): void => {
      const at = next[row]!;
      neighbours[at] = other;
      cosines[at] = value;
      next[row] = at + 1;
    };
    await inSlices(count, (from, to) => {
      for (let pair = from; pair < to; pair++) {
        add(first[pair]!, second[pair]!, cosine[pair]!);
        add(second[pair]!, first[pair]!, cosine[pair]!);
      }
    });
    return new NeighbourLists(starts, neighbours, cosines);
  }

  start(row: number): number {
    return this.starts[row]!;
  }

  end(row: number): number {
    return this.starts[row + 1]!;
  }

  degree(row: number): number {
    return this.end(row) - this.start(row);
  }

  /** The neighbour at an index between `start` and `end` of a row. */
  at(place: number): number {
    return this.rows[place]!;
  }

  /** The nearest neighbour of a row, the lowest of equals; -1 if it has none. */
  nearest(row: number): number {
    let best = -1;
    let most = -Infinity;
    for (let place = this.start(row); place < this.end(row); place++) {
      const other = this.rows[place]!;
      const cosine = this.cosines[place]!;
      if (cosine < most || (cosine === most && other > best)) continue;
      best = other;
      most = cosine;
    }
    return best;
  }
}

function dot(vectors: Float32Array, first: number, second: number, dimension: number): number {
  let sum = 0;
  for (let at = 0; at < dimension; at++) sum += vectors[first + at]! * vectors[second + at]!;
  return sum;
}
