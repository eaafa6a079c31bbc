import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { errorCode, errorMessage } from '../../platform/errors/error-code';
import type { MediaTable } from '../media-table/media-table';
import { ObjectNotFoundError, type ObjectStore } from '../../platform/storage/object-store';
import { allocateQuantisedRows, arraysOf, type QuantisedRows } from './quantised-rows';

const FORMAT = 0x31_71_6d_64;
/** Format, rows, dimension, and the checksum of what follows. */
const HEAD_NUMBERS = 4;

type NamedTable = Pick<MediaTable, 'at' | 'nameOfRows'>;

const folderOf = (generation: string): string => `quantised/${generation}/`;

/** A missing file is ignored. */
export const dropQuantised = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));

/**
 * Whole blocks of quantised vectors, as files beside their table, named by their rows. Rows never change, so a block is quantised once, by
 * whoever needs it first. All of it can be made again: a file that is missing or cannot be used is made from the table.
 */
export class QuantisedFiles {
  constructor(
    private readonly store: ObjectStore,
    /** Told once for each problem; nothing fails by it. */
    private readonly warn: (problem: string) => void,
  ) {}

  /** Those of a column of a table. */
  of(table: NamedTable, column: string): QuantisedColumn {
    return new QuantisedColumn(this.store, `${folderOf(table.at.generation)}${column}/`, table, this.warn);
  }
}

export class QuantisedColumn {
  private canWrite = true;

  constructor(
    private readonly store: ObjectStore,
    private readonly folder: string,
    private readonly table: NamedTable,
    private readonly warn: (problem: string) => void,
  ) {}

  /** Undefined if there is no file that can be used. */
  async read(index: number, count: number, dimension: number): Promise<QuantisedRows | undefined> {
    const key = await this.keyOf(index, count);
    try {
      return await read(this.store, key, count, dimension);
    } catch (error) {
      if (error instanceof ObjectNotFoundError || errorCode(error) === 'ENOENT') return undefined;
      this.warn(`${key} cannot be used, so its vectors are read from the table: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /** The block is unchanged, and may be transferred afterwards. After a failure no more is written. */
  async write(index: number, block: QuantisedRows): Promise<void> {
    if (!this.canWrite) return;
    const key = await this.keyOf(index, block.count);
    try {
      await this.store.put(key, encoded(block));
    } catch (error) {
      this.canWrite = false;
      this.warn(`${key} cannot be written, so the next start quantises its vectors again: ${errorMessage(error)}`);
    }
  }

  private async keyOf(index: number, count: number): Promise<string> {
    return `${this.folder}${count}/${index}-${await this.table.nameOfRows((index + 1) * count)}.q16`;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function encoded(block: QuantisedRows): Readable {
  const arrays = arraysOf(block).map(bytesOf);
  return Readable.from([bytesOf(headOf(block, checksumOf(arrays))), ...arrays], { objectMode: false });
}

const checksumOf = (arrays: readonly Uint8Array[]): number => arrays.reduce((sum, bytes) => crc32(bytes, sum), 0);

const headOf = ({ count, dimension }: Pick<QuantisedRows, 'count' | 'dimension'>, checksum: number): Uint32Array =>
  Uint32Array.of(FORMAT, count, dimension, checksum);

/** A file of this machine is read into its place; what comes over the network is copied there. */
async function read(store: ObjectStore, key: string, count: number, dimension: number): Promise<QuantisedRows> {
  const block = allocateQuantisedRows(count, dimension);
  const head = new Uint32Array(HEAD_NUMBERS);
  const arrays = arraysOf(block).map(bytesOf);
  const places = [bytesOf(head), ...arrays];
  const path = store.localPath(key);
  if (path === undefined) await copyInto(places, await store.get(key));
  else await readInto(places, path);
  if (!headOf(block, checksumOf(arrays)).every((number, at) => number === head[at]))
    throw new Error('The file is damaged, or of another form');
  return block;
}

async function readInto(places: readonly Uint8Array[], path: string): Promise<void> {
  const file = await open(path);
  try {
    for (const place of places) {
      for (let filled = 0; filled < place.length;) {
        const { bytesRead } = await file.read(place, filled, place.length - filled);
        if (bytesRead === 0) throw new Error('The file is too short');
        filled += bytesRead;
      }
    }
  } finally {
    await file.close();
  }
}

async function copyInto(places: readonly Uint8Array[], content: Readable): Promise<void> {
  let place = 0;
  let filled = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const to = places[place];
      if (to === undefined) throw new Error('The file is too long');
      const bytes = chunk.subarray(from, from + to.length - filled);
      to.set(bytes, filled);
      from += bytes.length;
      filled += bytes.length;
      if (filled < to.length) continue;
      place += 1;
      filled = 0;
    }
  }
  if (place < places.length) throw new Error('The file is too short');
}
