import { crc32 } from 'node:zlib';
import type { QuantisedColumn } from '../../src/common/engine/vectors/quantised-files';
import type { VectorBatch, VectorSeries, VectorSource } from '../../src/common/engine/vectors/vector-source';

const BATCH_ROWS = 1024;

/** In-memory vectors that are not in a table. Counts the reads. */
export class MemoryVectors implements VectorSource {
  readonly rows: number;
  readonly vectors: Float32Array;
  taken = 0;
  batchesRead = 0;
  onBatch: (first: number) => unknown = () => undefined;
  series?: VectorSeries;
  files?: QuantisedColumn;

  constructor(
    rows: readonly ArrayLike<number>[],
    readonly dimension: number,
  ) {
    this.rows = rows.length;
    this.vectors = new Float32Array(rows.length * dimension);
    rows.forEach((row, at) => this.vectors.set(row, at * dimension));
  }

  /** Random vectors of unit length, reproducible by seed. */
  static random(rows: number, dimension: number, seed: number): MemoryVectors {
    let state = seed;
    const next = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    const row = (): number[] => {
      const numbers = Array.from({ length: dimension }, next);
      const length = Math.hypot(...numbers);
      return numbers.map((value) => value / length);
    };
    return new MemoryVectors(Array.from({ length: rows }, row), dimension);
  }

  /** Makes this a source of a series, whose row names depend on its contents. */
  ofSeries(name: string): this {
    const nameOfRows = (count: number): Promise<string> =>
      Promise.resolve(`${crc32(new Uint8Array(this.vectors.buffer, 0, count * this.dimension * 4))}`);
    this.series = { name, nameOfRows };
    return this;
  }

  row(ordinal: number): Float32Array {
    return this.vectors.slice(ordinal * this.dimension, (ordinal + 1) * this.dimension);
  }

  clear(ordinal: number): void {
    this.vectors.fill(0, ordinal * this.dimension, (ordinal + 1) * this.dimension);
  }

  async *batches(signal?: AbortSignal, from = 0): AsyncGenerator<VectorBatch> {
    for (let first = from; first < this.rows; first += BATCH_ROWS) {
      signal?.throwIfAborted();
      const count = Math.min(BATCH_ROWS, this.rows - first);
      this.batchesRead += 1;
      this.onBatch(first);
      yield await Promise.resolve({
        first,
        count,
        vectors: this.vectors.slice(first * this.dimension, (first + count) * this.dimension),
      });
    }
  }

  take(ordinals: Int32Array): Promise<Float32Array> {
    this.taken += ordinals.length;
    const taken = new Float32Array(ordinals.length * this.dimension);
    ordinals.forEach((ordinal, at) => taken.set(this.row(ordinal), at * this.dimension));
    return Promise.resolve(taken);
  }
}
