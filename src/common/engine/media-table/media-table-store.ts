import { setImmediate } from 'node:timers/promises';
import { connect, Session, type Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { BoundedCache, ReadOnce } from '../../platform/cache/bounded-cache';
import { failpoint } from '../../platform/config/failpoint';
import { outageOf } from '../../platform/outage/outage';
import { DamagedDataError, type LanceLocation } from '../../platform/storage/object-store';
import { StoreRefusedError } from '../../platform/storage/s3/s3-outage';
import { addSlab, LanceCalls } from './lance-calls';
import { CAPTION_COLUMN, CAPTION_TEXT_COLUMN, type MediaRow } from './media-row';
import type { Dimensions } from './column-codec';
import { keptRows } from './kept-rows';
import type { PublishedVersion } from './later-labels';
import { columnsOf, columnsOfToday, lackingColumns, mediaSchema } from './media-schema';
import { MediaTable } from './media-table';
import { indexNearest } from './nearest-index';
import { makeIndexes, renewIndexes } from './table-indexes';
import { type TableVersion, versionName } from './table-version';
import type { OrdinalSet } from './ordinal-set';
import { toRecordBatch } from './row-batch';
import { bytesOfRows } from '../vectors/quantised-rows';

export interface WrittenTable extends TableVersion {
  readonly rows: number;
  readonly bytes: number;
}

export interface MediaTableStoreOptions {
  /** The number of cached table handles. */
  readonly openTables: number;
  readonly indexCacheBytes: number;
  readonly metadataCacheBytes: number;
  /** The bytes passed to Lance in one write; each write becomes a fragment. */
  readonly slabBytes: number;
  /** The timeout of one read. */
  readonly readLimitMs: number;
  /** A column of vectors above this size in memory gets an index. */
  readonly searchedInMemoryBytes: number;
}

const DEFAULTS: MediaTableStoreOptions = {
  openTables: 64,
  indexCacheBytes: 512 * 2 ** 20,
  metadataCacheBytes: 64 * 2 ** 20,
  slabBytes: 64 * 2 ** 20,
  readLimitMs: 10_000,
  searchedInMemoryBytes: Infinity,
};

const BATCH_ROWS = 2_048;

/** The generation has a newer head than the version that the writer was based on. */
export class HeadMovedError extends Error {
  constructor(at: TableVersion, head: number) {
    super(`Generation ${at.generation} is at version ${head}, not at ${at.version}`);
  }
}

export class NoSuchTableError extends DamagedDataError {
  constructor(at: TableVersion, options: ErrorOptions) {
    super(`The table tables/${at.generation}.lance at version ${at.version}`, options);
  }
}

interface AddedRows {
  /** The head after the write. */
  readonly version: number;
  readonly rows: number;
  readonly captions: boolean;
}

type Relabelled = (at: PublishedVersion, table: MediaTable) => Promise<MediaTable | undefined>;

type RowBatches = AsyncIterable<readonly MediaRow[]> | Iterable<readonly MediaRow[]>;

/**
 * All media tables below one prefix, one directory per generation. Versions of a generation are never cleaned up: every published version
 * stays readable until its generation is dropped.
 */
export class MediaTableStore {
  private readonly options: MediaTableStoreOptions;
  private readonly tables: BoundedCache<MediaTable>;
  private readonly calls: LanceCalls;
  /** The caches of Lance: metadata of files, and parts of indexes. */
  private readonly session: Session;
  private relabelled: Relabelled | undefined;
  private readonly connection = new ReadOnce(() => {
    const { uri, storageOptions } = this.location;
    // Not passed as the third argument, which LanceDB 0.39 declares but ignores.
    return connect(uri, { storageOptions: { ...storageOptions }, session: this.session });
  });

  constructor(
    private readonly location: LanceLocation,
    options: Partial<MediaTableStoreOptions> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    const { openTables, indexCacheBytes, metadataCacheBytes } = this.options;
    this.tables = new BoundedCache(openTables);
    this.session = new Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes));
    this.calls = new LanceCalls(location.uri, location.reachability, this.options.readLimitMs);
  }

  /** The memory that Lance's caches take. */
  get cacheBytes(): number {
    return Number(this.session.sizeBytes());
  }

  /** With the labels of today, if the version has been labelled since it was written. */
  async open(at: PublishedVersion): Promise<MediaTable> {
    const table = await this.openVersion(at);
    return (await this.relabelled?.(at, table)) ?? table;
  }

  /** How to bring the labels of a version up to date; undefined leaves them as they are. */
  relabelBy(relabelled: Relabelled): void {
    this.relabelled = relabelled;
  }

  private openVersion(at: TableVersion): Promise<MediaTable> {
    return this.tables.getOrLoad(versionName(at), async () => {
      try {
        return await this.calls.read(async () => {
          const table = await (await this.connection.get()).openTable(at.generation);
          await table.checkout(at.version);
          return await MediaTable.over(table, { generation: at.generation, version: at.version }, this.calls);
        });
      } catch (cause) {
        if (outageOf(cause) !== undefined || cause instanceof StoreRefusedError) throw cause;
        throw new NoSuchTableError(at, { cause });
      }
    });
  }

  /** Writes a new generation with the rows in the given order. */
  create(generation: string, dimensions: Dimensions, batches: RowBatches): Promise<WrittenTable> {
    return this.write(generation, dimensions, toBatches(batches, dimensions));
  }

  /**
   * Appends rows to version `at`. Later versions stay readable, but are no longer the head. Lance scans rows that an index lacks, so indexes that lack
   * many rows are rebuilt.
   */
  append(at: TableVersion, batches: RowBatches): Promise<WrittenTable> {
    return this.calls.withoutLimit(() => this.appendTo(at, batches));
  }

  private async appendTo(at: TableVersion, batches: RowBatches): Promise<WrittenTable> {
    const { dimensions, rows } = await this.openVersion(at);
    const table = await (await this.connection.get()).openTable(at.generation);
    const head = await withColumnsOfToday(table, await headAt(table, at));
    const added = await this.addAll(table, head, toBatches(batches, dimensions));
    failpoint('before-indexes');
    const version = added.version + (await renewIndexes(table, added));
    const written = await this.describe(table, at.generation);
    if (written.version !== version || written.rows !== rows + added.rows)
      throw new HeadMovedError({ ...at, version }, written.version);
    return written;
  }

  /** Copies the rows of a version, or some of them, in order to a new generation. */
  async fork(
    from: TableVersion,
    generation: string,
    keep?: OrdinalSet,
    onPart?: (part: number) => void,
  ): Promise<WrittenTable> {
    const source = await this.openVersion(from);
    const rows = keep === undefined ? source.scan(columnsOfToday(source.dimensions)) : keptRows(source, keep, onPart);
    return this.write(generation, source.dimensions, rows);
  }

  /** Ignores a missing generation. */
  async drop(generation: string): Promise<void> {
    await this.calls.withoutLimit(async () => {
      const connection = await this.connection.get();
      if (await this.exists(generation)) await connection.dropTable(generation);
    });
  }

  /** All existing generations, published or not. */
  generations(): Promise<string[]> {
    return this.calls.withoutLimit(() => this.listGenerations());
  }

  private async listGenerations(): Promise<string[]> {
    const connection = await this.connection.get();
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
    return (await this.listGenerations()).includes(generation);
  }

  private write(
    generation: string,
    dimensions: Dimensions,
    batches: AsyncIterable<RecordBatch>,
  ): Promise<WrittenTable> {
    return this.calls.withoutLimit(() => this.writeAnew(generation, dimensions, batches));
  }

  private async writeAnew(
    generation: string,
    dimensions: Dimensions,
    batches: AsyncIterable<RecordBatch>,
  ): Promise<WrittenTable> {
    const connection = await this.connection.get();
    const table = await connection.createEmptyTable(generation, mediaSchema(dimensions));
    try {
      const { rows } = await this.addAll(table, { generation, version: await table.version() }, batches);
      await makeIndexes(table);
      await this.indexVectors(table, dimensions);
      const written = await this.describe(table, generation);
      if (written.rows !== rows)
        throw new Error(`${rows} rows were written to ${generation}, which has ${written.rows}`);
      return written;
    } catch (error) {
      // If the store is full, every retry would leave less space. If the table cannot be dropped now, a sweep removes it.
      await connection.dropTable(generation).catch(() => undefined);
      throw error;
    }
  }

  private async indexVectors(table: Table, dimensions: Dimensions): Promise<void> {
    const rows = await table.countRows();
    for (const [field, dimension] of Object.entries(dimensions) as [keyof Dimensions, number][])
      if (bytesOfRows(rows, dimension) > this.options.searchedInMemoryBytes)
        for (const column of columnsOf(field)) await indexNearest(table, column, dimension);
  }

  /** The next slab is encoded while Lance writes the current one. */
  private async addAll(table: Table, at: TableVersion, batches: AsyncIterable<RecordBatch>): Promise<AddedRows> {
    let expected = at.version;
    let rows = 0;
    let captions = false;
    let writing: Promise<void> = Promise.resolve();
    const add = async (slab: readonly RecordBatch[]): Promise<void> => {
      const version = await addSlab(table, slab);
      expected++;
      if (version !== expected) throw new HeadMovedError({ ...at, version: expected }, version);
    };
    try {
      for await (const slab of slabsOf(batches, this.options.slabBytes)) {
        await writing;
        for (const batch of slab) {
          rows += batch.numRows;
          captions ||= hasCaptions(batch);
        }
        writing = add(slab);
        // Awaited in the next iteration; a rejection before that must not count as unhandled.
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
    return { version: expected, rows, captions };
  }

  private async describe(table: Table, generation: string): Promise<WrittenTable> {
    const rows = await table.countRows();
    const { totalBytes } = await table.stats();
    return { generation, version: await table.version(), rows, bytes: totalBytes };
  }
}

/** Returns a head with the rows of `at`: that version itself, or a restored one if later versions follow it. */
async function headAt(table: Table, at: TableVersion): Promise<TableVersion> {
  const head = await table.version();
  if (head === at.version) return at;
  await table.checkout(at.version);
  await table.restore();
  const version = await table.version();
  if (version !== head + 1) throw new HeadMovedError({ ...at, version: head + 1 }, version);
  return { ...at, version };
}

/** Adds later columns as null, without rewriting existing data. */
async function withColumnsOfToday(table: Table, head: TableVersion): Promise<TableVersion> {
  const lacking = lackingColumns(await table.schema());
  if (lacking.length === 0) return head;
  const { version } = await table.addColumns(lacking);
  if (version !== head.version + 1) throw new HeadMovedError({ ...head, version: head.version + 1 }, version);
  return { ...head, version };
}

const hasCaptions = (batch: RecordBatch): boolean =>
  [CAPTION_TEXT_COLUMN, CAPTION_COLUMN].some((name) => {
    const captions = batch.getChild(name);
    return captions !== null && captions.nullCount < captions.length;
  });

/** Uses small batches that yield to other work, because encoding rows runs on the event loop. */
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
