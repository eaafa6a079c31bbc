import { crc32 } from 'node:zlib';
import { allocateQuantisedRows, arraysOf, type QuantisedRows, inColumns, quantise } from './quantised-rows';

const FORMAT = 0x31_71_6d_64;
/** Format, rows, dimension, and the checksum of the rest. */
const HEAD_NUMBERS = 4;
const HEAD_BYTES = HEAD_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;
/** The scales and bounds of a row. */
const BOUNDS_BYTES = 4 * Float32Array.BYTES_PER_ELEMENT;
type Head = [format: number, count: number, dimension: number, checksum: number];

export interface WritableBlock {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** A file that is read into the arrays of a block. */
export class QuantisedFile {
  /** Must be filled in order. */
  readonly places: readonly Uint8Array[];
  private readonly head = new Uint32Array(HEAD_NUMBERS);
  private readonly rows: QuantisedRows;

  constructor(count: number, dimension: number) {
    this.rows = allocateQuantisedRows(count, dimension);
    this.places = [this.head, ...arraysOf(this.rows)].map(bytesOf);
  }

  block(): QuantisedRows {
    const { rows, head, places } = this;
    const expected = headOf(rows, places.slice(1));
    if (!expected.every((number, at) => number === head[at]))
      throw new Error('The checksum or format version does not match');
    return rows;
  }
}

/** Checks the completeness of a file without the memory of a block. */
export async function isWholeQuantisedFile(content: AsyncIterable<Buffer>): Promise<boolean> {
  let head = Buffer.alloc(0);
  let size = 0;
  let sum = 0;
  for await (const chunk of content) {
    const ofHead = Math.min(HEAD_BYTES - head.length, chunk.length);
    head = Buffer.concat([head, chunk.subarray(0, ofHead)]);
    sum = crc32(chunk.subarray(ofHead), sum);
    size += chunk.length;
  }
  if (head.length < HEAD_BYTES) return false;
  const [format, count, dimension, expected] = new Uint32Array(Uint8Array.from(head).buffer) as unknown as Head;
  return format === FORMAT && sum === expected && size === HEAD_BYTES + count * (2 * dimension + BOUNDS_BYTES);
}

/** A copy in separate memory, which can be transferred between threads. */
export function writable(block: QuantisedRows): WritableBlock {
  const arrays = arraysOf(block).map(bytesOf);
  const parts = [bytesOf(headOf(block, arrays)), ...arrays];
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.byteLength;
  }
  return { count: block.count, bytes };
}

const headOf = ({ count, dimension }: QuantisedRows, arrays: readonly Uint8Array[]): Uint32Array =>
  Uint32Array.of(
    FORMAT,
    count,
    dimension,
    arrays.reduce((sum, bytes) => crc32(bytes, sum), 0),
  );

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export interface FinishedBlocks {
  readonly blocks: readonly QuantisedRows[];
  /** Copies of the leading whole blocks. */
  readonly files: readonly WritableBlock[];
}

/** Quantises vectors into blocks of rows, in batches of any size. */
export class QuantisedBlocks {
  private readonly blocks: readonly QuantisedRows[];

  constructor(
    rows: number,
    private readonly dimension: number,
    private readonly blockRows: number,
  ) {
    this.blocks = Array.from({ length: Math.ceil(rows / blockRows) }, (_, block) =>
      allocateQuantisedRows(Math.min(blockRows, rows - block * blockRows), dimension),
    );
  }

  add(first: number, vectors: Float32Array): void {
    const { blocks, blockRows, dimension } = this;
    const end = first + vectors.length / dimension;
    for (let row = first; row < end;) {
      const block = Math.floor(row / blockRows);
      const last = Math.min(end, (block + 1) * blockRows);
      const piece = vectors.subarray((row - first) * dimension, (last - first) * dimension);
      quantise(blocks[block]!, row - block * blockRows, piece);
      row = last;
    }
  }

  /** If `asFiles` is set, also returns whole blocks as files. */
  finish(asFiles: boolean): FinishedBlocks {
    const blocks = this.blocks.map(inColumns);
    const isFile = ({ count }: QuantisedRows): boolean => asFiles && count === this.blockRows;
    return { blocks, files: blocks.filter(isFile).map(writable) };
  }
}
