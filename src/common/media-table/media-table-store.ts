import { setImmediate } from 'node:timers/promises';
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb';
import { type RecordBatch, Table as ArrowTable } from 'apache-arrow';
import { BoundedCache } from '../cache/bounded-cache';
import type { LanceLocation } from '../storage/object-store';
import { captionIndex } from './caption-index';
import type { Dimensions } from './column-codec';
import { mediaSchema } from './media-schema';
import { MediaTable, type TableVersion } from './media-table';
import type { MediaRow } from './media-row';
import { toRecordBatch } from './row-batch';

export interface WrittenTable extends TableVersion {
  readonly rows: number;
  readonly bytes: number;
}

export interface MediaTableStoreOptions {
  /** Handles kept open. */
  readonly openTables: number;
  readonly indexCacheBytes: number;
  readonly metadataCacheBytes: number;
  /** Bytes that one write hands to Lance at once; each becomes a fragment. */
  readonly slabBytes: number;
}

const DEFAULTS: MediaTableStoreOptions = {
  openTables: 64,
  indexCacheBytes: 512 * 2 ** 20,
  metadataCacheBytes: 256 * 2 ** 20,
  slabBytes: 64 * 2 ** 20,
};

const BATCH_ROWS = 2_048;

/** Someone wrote to the generation since; its head is not the version that the writer built on. */
export class HeadMovedError extends Error {
  constructor(at: TableVersion, head: number) {
    super(`Generation ${at.generation} stands at version ${head}, not at ${at.version}`);
  }
}

export class NoSuchTableError extends Error {
  constructor(at: TableVersion, options: ErrorOptions) {
    super(`No media table ${at.generation} at version ${at.version}`, options);
  }
}

type RowBatches = AsyncIterable<readonly MediaRow[]> | Iterable<readonly MediaRow[]>;

/**
 * All media tables below one prefix, a directory a generation. Versions inside a generation are never cleaned:
 * what was once published stays readable until its generation is dropped.
 */
export class MediaTableStore {
  private readonly options: MediaTableStoreOptions;
  private readonly tables: BoundedCache<MediaTable>;
  private connection: Promise<Connection> | undefined;

  constructor(
    private readonly location: LanceLocation,
    options: Partial<MediaTableStoreOptions> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.tables = new BoundedCache(this.options.openTables);
  }

  open(at: TableVersion): Promise<MediaTable> {
    return this.tables.getOrLoad(`${at.generation}@${at.version}`, async () => {
      try {
        const table = await (await this.connected()).openTable(at.generation);
        await table.checkout(at.version);
        return await MediaTable.over(table, at);
      } catch (cause) {
        throw new NoSuchTableError(at, { cause });
      }
    });
  }

  /** Writes a new generation; rows keep the order in which they come. */
  create(generation: string, dimensions: Dimensions, batches: RowBatches): Promise<WrittenTable> {
    return this.write(generation, dimensions, toBatches(batches, dimensions));
  }

  /** Adds rows after those of `at`, which must be the head of its generation. */
  async append(at: TableVersion, batches: RowBatches): Promise<WrittenTable> {
    const { dimensions } = await this.open(at);
    const table = await (await this.connected()).openTable(at.generation);
    const head = await table.version();
    if (head !== at.version) throw new HeadMovedError(at, head);
    await this.addAll(table, at, toBatches(batches, dimensions));
    return this.finish(table, at.generation);
  }

  /** Rewrites the rows of a version, in their order, into a generation of their own. */
  async fork(from: TableVersion, generation: string): Promise<WrittenTable> {
    const source = await this.open(from);
    const columns = mediaSchema(source.dimensions).fields.map((field) => field.name);
    return this.write(generation, source.dimensions, source.scan(columns));
  }

  /** Missing is no error. */
  async drop(generation: string): Promise<void> {
    const connection = await this.connected();
    if (await this.exists(generation)) await connection.dropTable(generation);
  }

  /** Every generation there is, published or not. */
  async generations(): Promise<string[]> {
    const connection = await this.connected();
    const names: string[] = [];
    let page = await connection.listTables({ limit: 1000 });
    names.push(...page.tables);
    while (page.pageToken !== undefined) {
      page = await connection.listTables({ limit: 1000, pageToken: page.pageToken });
      names.push(...page.tables);
    }
    return names;
  }

  private async exists(generation: string): Promise<boolean> {
    return (await this.generations()).includes(generation);
  }

  private async write(
    generation: string,
    dimensions: Dimensions,
    batches: AsyncIterable<RecordBatch>,
  ): Promise<WrittenTable> {
    const table = await (await this.connected()).createEmptyTable(generation, mediaSchema(dimensions));
    await this.addAll(table, { generation, version: await table.version() }, batches);
    return this.finish(table, generation);
  }

  /** The next slab is encoded while Lance writes the one before. */
  private async addAll(table: Table, at: TableVersion, batches: AsyncIterable<RecordBatch>): Promise<void> {
    let expected = at.version;
    let writing: Promise<void> = Promise.resolve();
    const add = async (slab: readonly RecordBatch[]): Promise<void> => {
      const { version } = await table.add(new ArrowTable([...slab]));
      expected++;
      if (version !== expected) throw new HeadMovedError({ ...at, version: expected }, version);
    };
    for await (const slab of slabsOf(batches, this.options.slabBytes)) {
      await writing;
      writing = add(slab);
      // Awaited at the next turn; a failure until then must not count as unhandled.
      writing.catch(() => undefined);
    }
    await writing;
  }

  /** Indexes, one after the other: Lance takes one writer a table. */
  private async finish(table: Table, generation: string): Promise<WrittenTable> {
    const rows = await table.countRows();
    if (rows > 0) {
      await table.createIndex('id', { config: Index.btree(), replace: true });
      await table.createIndex('labels', { config: Index.labelList(), replace: true });
      if ((await table.countRows('caption IS NOT NULL')) > 0)
        await table.createIndex('caption', { config: captionIndex(), replace: true });
    }
    const { totalBytes } = await table.stats();
    return { generation, version: await table.version(), rows, bytes: totalBytes };
  }

  private connected(): Promise<Connection> {
    const { uri, storageOptions } = this.location;
    const { indexCacheBytes, metadataCacheBytes } = this.options;
    this.connection ??= connect(
      uri,
      { storageOptions: { ...storageOptions } },
      new Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes)),
    ).catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    return this.connection;
  }
}

/** In small batches, and between them others run: to turn rows into columns is work of the event loop. */
async function* toBatches(batches: RowBatches, dimensions: Dimensions): AsyncGenerator<RecordBatch> {
  for await (const rows of batches) {
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      yield toRecordBatch(rows.slice(start, start + BATCH_ROWS), dimensions);
      await setImmediate();
    }
  }
}

async function* slabsOf(batches: AsyncIterable<RecordBatch>, slabBytes: number): AsyncGenerator<RecordBatch[]> {
  let slab: RecordBatch[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    slab.push(batch);
    bytes += batch.data.byteLength;
    if (bytes < slabBytes) continue;
    yield slab;
    slab = [];
    bytes = 0;
  }
  if (slab.length > 0) yield slab;
}
