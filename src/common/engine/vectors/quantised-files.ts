import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode, errorMessage } from '../../platform/errors/error-code';
import type { MediaTable } from '../media-table/media-table';
import { ObjectNotFoundError, type ObjectStore } from '../../platform/storage/object-store';
import { QuantisedFile, type WritableBlock } from './quantised-file';
import type { QuantisedRows } from './quantised-rows';

type NamedTable = Pick<MediaTable, 'at' | 'nameOfRows'>;

const folderOf = (generation: string): string => `quantised/${generation}/`;

/** Ignores a missing file. */
export const dropQuantised = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));

/**
 * Whole blocks of quantised vectors, stored as files next to their table and named by their rows. Rows never change, so a block is quantised once, on
 * first use. A missing or unusable file is replaced from the table.
 */
export class QuantisedFiles {
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly store: ObjectStore,
    /** Called once per problem, which fails nothing. */
    private readonly warn: (problem: string) => void,
  ) {}

  private readonly track = (writing: Promise<void>): Promise<void> => {
    const settled = writing.finally(() => this.writing.delete(settled));
    this.writing.add(settled);
    return settled;
  };

  /** The files of a column of a table. */
  of(table: NamedTable, column: string): QuantisedColumn {
    return new QuantisedColumn(this.store, `${folderOf(table.at.generation)}${column}/`, table, this.warn, this.track);
  }

  /** Waits until no file is being written. */
  async settle(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing);
  }
}

export class QuantisedColumn {
  private canWrite = true;

  constructor(
    private readonly store: ObjectStore,
    private readonly folder: string,
    private readonly table: NamedTable,
    private readonly warn: (problem: string) => void,
    private readonly track: (writing: Promise<void>) => Promise<void>,
  ) {}

  /** Undefined if there is no usable file. */
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

  /** Writes blocks starting at number `first`. Writes nothing after a failure. */
  write(first: number, blocks: readonly WritableBlock[]): Promise<void> {
    return this.track(this.putAll(first, blocks));
  }

  private async putAll(first: number, blocks: readonly WritableBlock[]): Promise<void> {
    for (const [at, { count, bytes }] of blocks.entries()) await this.put(first + at, count, bytes);
  }

  private async put(index: number, count: number, bytes: Uint8Array): Promise<void> {
    if (!this.canWrite) return;
    try {
      await this.store.put(await this.keyOf(index, count), bytes);
    } catch (error) {
      this.canWrite = false;
      this.warn(`${this.folder} cannot be written, so the next start quantises vectors again: ${errorMessage(error)}`);
    }
  }

  private async keyOf(index: number, count: number): Promise<string> {
    return `${this.folder}${count}/${index}-${await this.table.nameOfRows((index + 1) * count)}.q16`;
  }
}

/** A local file is read directly into its arrays; data from the network is copied. */
async function read(store: ObjectStore, key: string, count: number, dimension: number): Promise<QuantisedRows> {
  const file = new QuantisedFile(count, dimension);
  const path = store.localPath(key);
  if (path === undefined) await copyInto(file.places, await store.get(key));
  else await readInto(file.places, path);
  return file.block();
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
