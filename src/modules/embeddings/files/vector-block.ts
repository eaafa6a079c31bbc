import type { Readable } from 'node:stream';
import { writeUnitVector, VectorFault } from '../domain/unit-vector';
import type { Naming } from '../domain/embedding-upload';

const MAX_NAME_CHARACTERS = 4096;

const tooLong = (): VectorFault => new VectorFault(`has a name of more than ${MAX_NAME_CHARACTERS} characters`);

/** The contents of a file of vectors. */
export interface NamedVectors {
  readonly naming: Naming;
  readonly dimension: number;
  /** How many rows the file says it has; some of a Parquet file may have no vector. */
  readonly rows: number;
  readonly blocks: () => AsyncGenerator<VectorBlock, undefined>;
}

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

/** The names of vectors, one on each line. */
export async function* nameLines(source: Readable): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = `${rest}${decoded(() => decoder.decode(chunk, { stream: true }))}`.split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines) yield checkedName(line);
      if (rest.length > MAX_NAME_CHARACTERS) throw tooLong();
    }
  } finally {
    source.destroy();
  }
  rest += decoded(() => decoder.decode());
  if (rest !== '') yield checkedName(rest);
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new VectorFault('has names that are not UTF-8');
  }
}

export function checkedName(line: string): string {
  if (line.length > MAX_NAME_CHARACTERS) throw tooLong();
  return line;
}
