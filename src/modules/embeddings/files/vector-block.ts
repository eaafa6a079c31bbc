import { writeUnitVector } from '../domain/unit-vector';

const NUMBERS_IN_A_BLOCK = 256 * 1024;
const MOST_ROWS = 1024;

export interface VectorBlock {
  readonly names: readonly string[];
  /** Of length 1, one after the other. */
  readonly vectors: Float32Array;
}

/** Vectors with names, until they are passed on. */
export class VectorBlockBuilder {
  private readonly capacity: number;
  private names: string[] = [];
  private vectors: Float32Array;
  private before = 0;

  constructor(private readonly dimension: number) {
    this.capacity = rowsInBlock(dimension);
    this.vectors = new Float32Array(this.capacity * dimension);
  }

  get isFull(): boolean {
    return this.names.length === this.capacity;
  }

  /** Adds the vector that begins at `from`. Throws VectorFault if it has no direction. */
  add(name: string, numbers: ArrayLike<number>, from: number): void {
    const { vectors, dimension, names } = this;
    const whose = (): string => `"${name}" (vector ${this.before + names.length + 1})`;
    writeUnitVector(numbers, from, vectors, names.length * dimension, dimension, whose);
    names.push(name);
  }

  take(): VectorBlock {
    const block = { names: this.names, vectors: this.vectors.subarray(0, this.names.length * this.dimension) };
    this.before += this.names.length;
    this.names = [];
    this.vectors = new Float32Array(this.capacity * this.dimension);
    return block;
  }
}

export const rowsInBlock = (dimension: number): number =>
  Math.min(MOST_ROWS, Math.max(1, Math.floor(NUMBERS_IN_A_BLOCK / dimension)));
