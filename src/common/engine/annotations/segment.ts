import { promisify } from 'node:util';
import { inflateRaw, inflateRawSync } from 'node:zlib';
import type { Annotation } from './annotation';
import { sizeOfTexts, type AttributeColumns } from './attribute-columns';

/** A block is small, unless one picture has more. */
const MOST_INFLATED = 2 ** 29;

/** Most blocks fit into one piece of this size; the default takes more memory for each. */
const PIECE_BYTES = 10_240;

/** A smaller block takes less time than a stream for it. */
const LEAST_STREAMED = 16_384;

/** Blocks that are nearer to each other are read together, up to so many bytes. */
const MOST_GAP = 65_536;
const MOST_READ = 2 ** 20;
/** Reading so many bytes takes as long as one more read. */
const WORTH_A_READ = 2 ** 17;
/** Larger files are not read as a whole. */
const MOST_WHOLE = 2 ** 24;

const inflate = promisify(inflateRaw);

/** The words of a media id. */
export const ID_WORDS = 4;

/** Writes the 128 bits of a UUID. */
export function putId(words: Uint32Array, at: number, id: string): void {
  const hex = id.replaceAll('-', '');
  for (let word = 0; word < ID_WORDS; word++)
    words[at * ID_WORDS + word] = Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16);
}

export function idAt(words: Uint32Array, at: number): string {
  const hex = Array.from(words.subarray(at * ID_WORDS, (at + 1) * ID_WORDS), (word) =>
    word.toString(16).padStart(8, '0'),
  ).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const CROWD = 1;
export const IGNORED = 2;

/** What filters need, in memory. */
export interface SegmentColumns extends AttributeColumns {
  /** By picture. */
  readonly ids: Uint32Array;
  /** Annotation i of picture p is at firsts[p] + i; one more than pictures. */
  readonly firsts: Int32Array;
  /** By picture: its block, and its text in the block. */
  readonly blocks: Int32Array;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  /** By annotation. */
  readonly labels: Int32Array;
  readonly kinds: Uint8Array;
  /** NaN without one. */
  readonly confidences: Float64Array;
  readonly areas: Float64Array;
  readonly flags: Uint8Array;
  /** By block, one more than blocks: where it begins in the file of shapes. */
  readonly offsets: Float64Array;
}

export const inflated = (bytes: Buffer): Buffer | Promise<Buffer> =>
  (bytes.length < LEAST_STREAMED ? inflateRawSync : inflate)(bytes, {
    maxOutputLength: MOST_INFLATED,
    chunkSize: PIECE_BYTES,
  });

export type ReadShapes = (start: number, end: number) => Promise<Buffer>;

/** Some pictures of one block. */
export interface StoredBlock {
  readonly segment: Segment;
  /** Ascending. */
  readonly pictures: readonly number[];
  /** The block as it is stored. */
  readonly bytes: Buffer;
}

/** What a source says about some pictures: columns, and the annotations themselves in compressed blocks. Immutable. */
export class Segment {
  constructor(
    readonly columns: SegmentColumns,
    readonly labels: readonly string[],
  ) {}

  get pictures(): number {
    return this.columns.blocks.length;
  }

  /** How many annotations and pictures there are, with those that texts of attributes count as. */
  get size(): number {
    return this.columns.labels.length + this.pictures + sizeOfTexts(this.columns.attributeTexts.length);
  }

  get bytes(): number {
    const names = this.labels.reduce((sum, label) => sum + 2 * label.length + 100, 0);
    return (Object.values(this.columns) as ArrayBufferView[]).reduce((sum, { byteLength }) => sum + byteLength, names);
  }

  /** The size of the file of shapes. */
  get shapesBytes(): number {
    return this.columns.offsets.at(-1)!;
  }

  /** The annotations of each of the pictures. `read` returns a part of the file of shapes, both ends included. */
  async annotationsOf(pictures: readonly number[], read: ReadShapes): Promise<Annotation[][]> {
    return (await this.textsOf(pictures, read)).map((text) => JSON.parse(text.toString()) as Annotation[]);
  }

  /** The same as JSON. */
  async textsOf(pictures: readonly number[], read: ReadShapes): Promise<Buffer[]> {
    const { blocks, starts, lengths } = this.columns;
    const texts = await this.blocksOf(new Set(pictures.map((picture) => blocks[picture]!)), read);
    return pictures.map((picture) => {
      const start = starts[picture]!;
      return texts.get(blocks[picture]!)!.subarray(start, start + lengths[picture]!);
    });
  }

  /** The blocks of pictures that ascend. */
  async *storedBlocks(pictures: readonly number[], read: ReadShapes): AsyncGenerator<StoredBlock> {
    const wanted = new Map<number, number[]>();
    for (const picture of pictures) {
      const block = this.columns.blocks[picture]!;
      const others = wanted.get(block);
      if (others === undefined) wanted.set(block, [picture]);
      else others.push(picture);
    }
    for (const run of this.readTogether(wanted.keys()))
      for (const [block, bytes] of await this.readRun(run, read))
        yield { segment: this, pictures: wanted.get(block)!, bytes };
  }

  private async blocksOf(blocks: Iterable<number>, read: ReadShapes): Promise<Map<number, Buffer>> {
    const texts = new Map<number, Buffer>();
    const runs = this.readTogether(blocks);
    const readsWhole = runs.length * WORTH_A_READ > this.shapesBytes && this.shapesBytes <= MOST_WHOLE;
    const readPart = readsWhole ? await this.readWhole(read) : read;
    await Promise.all(
      runs.map(async (run) => {
        for (const [block, bytes] of await this.readRun(run, readPart)) texts.set(block, await inflated(bytes));
      }),
    );
    return texts;
  }

  private async readWhole(read: ReadShapes): Promise<ReadShapes> {
    const whole = await read(0, this.shapesBytes - 1);
    return (start, end) => Promise.resolve(whole.subarray(start, end + 1));
  }

  private async readRun(run: readonly number[], read: ReadShapes): Promise<[block: number, bytes: Buffer][]> {
    const { offsets } = this.columns;
    const start = offsets[run[0]!]!;
    const bytes = await read(start, offsets[run.at(-1)! + 1]! - 1);
    return run.map((block) => [block, bytes.subarray(offsets[block]! - start, offsets[block + 1]! - start)]);
  }

  private readTogether(blocks: Iterable<number>): number[][] {
    const { offsets } = this.columns;
    const runs: number[][] = [];
    for (const block of [...blocks].sort((a, b) => a - b)) {
      const run = runs.at(-1);
      const [start, end] = [offsets[block]!, offsets[block + 1]!];
      const isNear = run !== undefined && start - offsets[run.at(-1)! + 1]! <= MOST_GAP;
      if (isNear && end - offsets[run[0]!]! <= MOST_READ) run.push(block);
      else runs.push([block]);
    }
    return runs;
  }
}
