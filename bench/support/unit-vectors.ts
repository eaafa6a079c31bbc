import type { VectorBatch, VectorSource } from '../../src/common/engine/vectors/vector-source';

const BATCH_ROWS = 4096;
const FAMILY = 16;
const MEMBER_SPREAD = 0.6;

/** Random unit vectors in families, generated again on each read, so that a million of them take no memory. */
export class UnitVectors implements VectorSource {
  private state = 0;

  constructor(
    readonly rows: number,
    readonly dimension: number,
  ) {}

  async *batches(): AsyncGenerator<VectorBatch> {
    for (let first = 0; first < this.rows; first += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, this.rows - first);
      const vectors = new Float32Array(count * this.dimension);
      for (let at = 0; at < count; at++) this.write(first + at, vectors, at * this.dimension);
      yield await Promise.resolve({ first, count, vectors });
    }
  }

  take(ordinals: Int32Array): Promise<Float32Array> {
    const vectors = new Float32Array(ordinals.length * this.dimension);
    ordinals.forEach((ordinal, at) => this.write(ordinal, vectors, at * this.dimension));
    return Promise.resolve(vectors);
  }

  private write(row: number, into: Float32Array, start: number): void {
    const end = start + this.dimension;
    this.add(Math.floor(row / FAMILY) * 2 + 1, 1, into, start, end);
    this.add(row * 2, MEMBER_SPREAD, into, start, end);
    let squares = 0;
    for (let at = start; at < end; at++) squares += into[at]! ** 2;
    const length = Math.sqrt(squares);
    for (let at = start; at < end; at++) into[at]! /= length;
  }

  private add(seed: number, weight: number, into: Float32Array, start: number, end: number): void {
    this.state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b);
    this.state ^= this.state >>> 15;
    const unit = weight / 2 ** 31;
    for (let at = start; at < end; at++) {
      this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) | 0;
      into[at]! += this.state * unit;
    }
  }
}
