import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import type { ComparedVectors } from '../../../common/engine/similarity/similarity-structure';
import { groupOf, type ComparedGroup } from './domain/final-order';
import { RowFacts } from './embedding-groups';
import type { ComparedRow, RowSource } from '../rows/row-source';
import { strideOf } from '../../../common/engine/similarity/vectors/vector-table';

const BUFFER_BYTES = 4 * 2 ** 20;

/** Writes vectors to a file in the format of the comparison: each padded to the stride of a row. */
export class VectorFileWriter {
  private readonly buffer: Float32Array;
  private readonly stride: number;
  private filled = 0;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    dimension: number,
  ) {
    this.stride = strideOf(dimension);
    this.buffer = new Float32Array(Math.max(1, Math.floor(BUFFER_BYTES / 4 / this.stride)) * this.stride);
  }

  static async create(path: string, dimension: number): Promise<VectorFileWriter> {
    return new VectorFileWriter(path, await open(path, 'wx'), dimension);
  }

  /** A missing vector is written as zeros. */
  async add(vector: ArrayLike<number> | null): Promise<void> {
    if (vector !== null) this.buffer.set(vector, this.filled);
    this.filled += this.stride;
    if (this.filled === this.buffer.length) await this.flush();
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.close();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async flush(): Promise<void> {
    const bytes = new Uint8Array(this.buffer.buffer, 0, this.filled * Float32Array.BYTES_PER_ELEMENT);
    for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at)).bytesWritten;
    this.buffer.fill(0);
    this.filled = 0;
  }
}

const KEY_BYTES = 16;
const KEY_WORDS = 4;
const NONE = -1;

/** Numbers contents by 128 bits of their SHA-256: 24 to 32 bytes per content instead of a string and a map entry. */
export class ContentNumbers {
  private readonly key = Buffer.alloc(KEY_BYTES);
  private readonly words = new Uint32Array(this.key.buffer, this.key.byteOffset, KEY_WORDS);
  private readonly keys: Uint32Array;
  private readonly slots: Int32Array;
  private count = 0;

  constructor(capacity: number) {
    this.keys = new Uint32Array(capacity * KEY_WORDS);
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 1.5 + 2))).fill(NONE);
  }

  /** Numbers start at 0 without gaps, in the order of first occurrence. */
  numberOf(sha256: string): number {
    if (sha256.length < 2 * KEY_BYTES || this.key.write(sha256, 0, KEY_BYTES, 'hex') < KEY_BYTES)
      hash('sha256', sha256, 'buffer').copy(this.key, 0, 0, KEY_BYTES);
    const { slots, words, keys } = this;
    const mask = slots.length - 1;
    let slot = words[0]! & mask;
    for (; slots[slot] !== NONE; slot = (slot + 1) & mask) if (this.isAt(slots[slot]!)) return slots[slot]!;
    keys.set(words, this.count * KEY_WORDS);
    slots[slot] = this.count;
    this.count += 1;
    return this.count - 1;
  }

  private isAt(number: number): boolean {
    const { words, keys } = this;
    for (let word = 0; word < KEY_WORDS; word++) if (keys[number * KEY_WORDS + word] !== words[word]) return false;
    return true;
  }
}

type Parameters = Pick<ComparedVectors, 'ladder' | 'nearDuplicates' | 'threads' | 'elsewhere'> & {
  /** The memory limit. */
  readonly bytes: number;
};

/** The rows of one group that are compared with each other, with their vectors in a file. */
export class CollectedGroup {
  readonly facts: RowFacts;

  private constructor(
    readonly count: number,
    private readonly dimension: number,
    private readonly folder: string,
    private readonly writer: VectorFileWriter,
  ) {
    const contents = new ContentNumbers(count);
    this.facts = new RowFacts(count, (sha256) => contents.numberOf(sha256));
  }

  static async create(count: number, dimension: number, folder: string): Promise<CollectedGroup> {
    await mkdir(folder, { recursive: true });
    const writer = await VectorFileWriter.create(join(folder, 'vectors'), dimension);
    return new CollectedGroup(count, dimension, folder, writer);
  }

  async add(row: ComparedRow): Promise<void> {
    this.facts.add(row);
    await this.writer.add(row.embedding);
  }

  finish(): Promise<void> {
    return this.writer.finish();
  }

  close(): Promise<void> {
    return this.writer.close();
  }

  input({ bytes, ...parameters }: Parameters): ComparedVectors {
    const { count, dimension, folder, writer } = this;
    const { contentGroup } = this.facts;
    return { count, dimension, contentGroup, vectorFile: writer.path, memory: { bytes, folder }, ...parameters };
  }
}

/** Reads the rows of all groups in one pass, with their vectors in files below `folder`. */
export async function collectGroups(
  source: RowSource,
  counts: Partial<Record<ComparedGroup, number>>,
  dimension: number,
  folder: string,
): Promise<Map<ComparedGroup, CollectedGroup>> {
  const groups = new Map<ComparedGroup, CollectedGroup>();
  try {
    for (const [name, count] of Object.entries(counts) as [ComparedGroup, number][])
      groups.set(name, await CollectedGroup.create(count, dimension, join(folder, name)));
    for await (const row of source.comparedRows()) await groups.get(groupOf(row.kind) as ComparedGroup)?.add(row);
    for (const group of groups.values()) await group.finish();
  } catch (error) {
    for (const group of groups.values()) await group.close();
    throw error;
  }
  return groups;
}
