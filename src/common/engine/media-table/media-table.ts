import type { FullTextQuery, Table } from '@lancedb/lancedb';
import type { Data, RecordBatch } from 'apache-arrow';
import { ReadOnce } from '../../platform/cache/bounded-cache';
import { type Dimensions, offsetsOf, readText } from './column-codec';
import { columnAt, encodedTexts, numbersOf, textsOf, type EncodedTexts, type NumberArray } from './column-data';
import type { LanceCalls } from './lance-calls';
import { findKeywords, type KeywordHits, type KeywordQuery } from './caption-index';
import { fieldsForLabels, type LaterLabels, withLaterLabels } from './later-labels';
import { columnsOf, columnsToTake, dimensionsOf, isLaterColumn, MEDIA_FIELDS, type MediaField } from './media-schema';
import type { MediaRow } from './media-row';
import {
  askNearest,
  indexIsBeingRead,
  loadIndexOf,
  nearestIndexesOf,
  type NearestAsked,
  type NearestIndex,
} from './nearest-index';
import { OrdinalSet } from './ordinal-set';
import { fromRecordBatch } from './row-batch';
import { RowAddresses } from './row-addresses';
import { indexedCaptionsOf } from './table-indexes';
import type { TableVersion } from './table-version';

export interface ColumnSlice {
  /** The position of the slice's first row in the result; without a filter, its ordinal. */
  readonly first: number;
  readonly count: number;
  /** By column name, with zeros for missing values. A vector column contains its vectors consecutively; a column that the table lacks has 32-bit numbers. */
  readonly columns: Readonly<Record<string, NumberArray>>;
}

export interface TextSlice extends EncodedTexts {
  readonly first: number;
  readonly count: number;
}

export interface TextLists {
  readonly count: number;
  /** The texts of list i are at starts[i] to starts[i + 1]. */
  readonly starts: Int32Array;
  readonly texts: EncodedTexts;
  readonly textAt: (place: number) => string;
}

export interface FoundRow<K extends MediaField> {
  readonly ordinal: number;
  readonly row: Pick<MediaRow, K>;
}

export interface ReadOptions {
  readonly filter?: string;
  /** The maximum rows per batch; the default is smaller for vectors than for other columns. */
  readonly batchRows?: number;
  /** The number of rows to skip. */
  readonly from?: number;
  /** The replacement for null in numeric columns; 0 for the others. */
  readonly absent?: Readonly<Record<string, number>>;
}

const ROW_ID = '_rowid';
const LABEL_FIELDS: ReadonlySet<MediaField> = new Set(['labels', 'generatedLabels']);
const SCORE = '_score';
const GENERATED_CAPTION_VECTOR = 'generated_caption_embedding';
const TEXT_LINES = 'text_lines';
const BATCH_ROWS = 65_536;
const TEXT_BATCH_ROWS = 8_192;
const TEXT_LIST_BATCH_ROWS = 16_384;
const VECTOR_BATCH_ROWS = 8_192;

/**
 * LanceDB's public API accepts a batch size only for results kept in memory, and its default of 1,024 rows makes scans several times
 * slower.
 */
const inBatches = (query: object, maxBatchLength: number): AsyncGenerator<RecordBatch> =>
  (query as { execute(options: { maxBatchLength: number }): AsyncGenerator<RecordBatch> }).execute({ maxBatchLength });

/** One version of a media table, read-only. Rows are addressed by ordinal, their position in the table. */
export class MediaTable {
  private readonly addresses = new ReadOnce(async () => new RowAddresses(await this.rowIds()));
  /** The indexed column of captions; undefined for a table without captions. */
  private readonly indexedCaptions = new ReadOnce(() => this.calls.read(() => indexedCaptionsOf(this.table)));
  private readonly captioned = new ReadOnce(async () => (await this.countCaptioned()) > 0);
  private readonly captionedTwice = new ReadOnce(
    async () => (await this.countRows(`${GENERATED_CAPTION_VECTOR} IS NOT NULL`)) > 0,
  );
  private readonly withText = new ReadOnce(
    async () => this.columns.has(TEXT_LINES) && (await this.countRows(`${TEXT_LINES} IS NOT NULL`)) > 0,
  );
  private readonly nearestIndexes = new ReadOnce(() => this.calls.read(() => nearestIndexesOf(this.table)));

  private readonly loadedIndexes = new Map<string, ReadOnce<void>>();

  /** Labels by people that are not the columns of this table. */
  readonly laterLabels: LaterLabels | undefined = undefined;

  private constructor(
    readonly at: TableVersion,
    readonly dimensions: Dimensions,
    readonly rows: number,
    private readonly table: Table,
    private readonly columns: ReadonlySet<string>,
    private readonly calls: LanceCalls,
  ) {}

  /** `table` must be checked out at the version. */
  static async over(table: Table, at: TableVersion, calls: LanceCalls): Promise<MediaTable> {
    const [schema, rows] = await Promise.all([table.schema(), table.countRows()]);
    const columns = new Set(schema.fields.map(({ name }) => name));
    return new MediaTable(at, dimensionsOf(schema), rows, table, columns, calls);
  }

  /** The same table, whose rows have these labels, or those of its columns. Filters and text lists see the columns only. */
  withLabels(laterLabels: LaterLabels | undefined): MediaTable {
    return Object.assign(Object.create(MediaTable.prototype) as MediaTable, this, { laterLabels });
  }

  /** False for a property that was added after this table was written. */
  has(field: MediaField): boolean {
    return columnsOf(field).every((name) => this.columns.has(name));
  }

  countRows(filter?: string): Promise<number> {
    return filter === undefined ? Promise.resolve(this.rows) : this.calls.read(() => this.table.countRows(filter));
  }

  /** Reads each index completely. Yields the columns of unreadable ones, with the reason. */
  async *unreadableIndexes(): AsyncGenerator<{ columns: readonly string[]; error: unknown }> {
    for (const { name, columns } of await this.calls.read(() => this.table.listIndices())) {
      try {
        await this.calls.withoutLimit(() => this.table.prewarmIndex(name));
      } catch (error) {
        yield { columns, error };
      }
    }
  }

  /** Yields numeric columns as typed arrays, slice by slice, in table order. */
  async *readColumns(columns: readonly string[], options: ReadOptions = {}): AsyncGenerator<ColumnSlice> {
    let first = options.from ?? 0;
    for await (const batch of this.scan(columns, options)) {
      yield {
        first,
        count: batch.numRows,
        columns: Object.fromEntries(columns.map((name) => [name, this.numbersIn(batch, name, options.absent?.[name])])),
      };
      first += batch.numRows;
    }
  }

  /** Yields a text column as encoded bytes, slice by slice, in table order; no strings are created. */
  async *readTexts(column: string): AsyncGenerator<TextSlice> {
    let first = 0;
    for await (const batch of this.scan([column], { batchRows: TEXT_BATCH_ROWS })) {
      yield { first, count: batch.numRows, ...textsOf(batch, column) };
      first += batch.numRows;
    }
  }

  /** Yields a column of lists of texts, slice by slice, in table order; no lists are created. */
  async *readTextLists(column: string, options: ReadOptions = {}): AsyncGenerator<TextLists> {
    for await (const batch of this.scan([column], { batchRows: TEXT_LIST_BATCH_ROWS, ...options })) {
      const lists = columnAt(batch, column);
      const texts = lists.children[0] as Data;
      yield { count: batch.numRows, starts: offsetsOf(lists), texts: encodedTexts(texts), textAt: readText(texts) };
    }
  }

  /** Yields whole rows, or the given properties, batch by batch, in table order. */
  async *readRows<K extends MediaField = MediaField>(
    fields: readonly K[] = MEDIA_FIELDS as readonly MediaField[] as readonly K[],
    options: ReadOptions = {},
  ): AsyncGenerator<Pick<MediaRow, K>[]> {
    const read = this.fieldsToRead(fields);
    for await (const batch of this.scan(read.flatMap(columnsOf), options)) yield this.rowsOf(batch, read, fields);
  }

  /** The rows with these ordinals, in the order requested. */
  async takeRows<K extends MediaField = MediaField>(
    ordinals: ArrayLike<number>,
    fields: readonly K[] = MEDIA_FIELDS as readonly MediaField[] as readonly K[],
  ): Promise<Pick<MediaRow, K>[]> {
    if (ordinals.length === 0) return [];
    const { ascending, place } = eachOnce(ordinals);
    const read = this.fieldsToRead(fields);
    const query = this.table.takeOffsets([...ascending]).select(this.present(columnsToTake(read)));
    const rows: Pick<MediaRow, K>[] = [];
    for await (const batch of this.calls.batches(inBatches(query, BATCH_ROWS)))
      rows.push(...this.rowsOf(batch, read, fields));
    if (rows.length !== ascending.length)
      throw new RangeError(`Requested ${ascending.length} rows, but found ${rows.length}`);
    return Array.from(ordinals, (ordinal) => rows[place.get(ordinal)!]!);
  }

  /** Returns consecutive vectors in the order of the ordinals; zeros for a row without a vector. */
  async takeVectors(ordinals: Int32Array, column: string, dimension: number): Promise<Float32Array> {
    const { ascending, place } = eachOnce(ordinals);
    const found = new Float32Array(ascending.length * dimension);
    let end = 0;
    if (ascending.length > 0) {
      // Finding rows by ordinal takes Lance longer, and creating objects takes longer than everything else.
      const query = this.table.takeRowIds((await this.addresses.get()).idsOf(ascending)).select([column]);
      for await (const batch of this.calls.batches(inBatches(query, BATCH_ROWS))) {
        found.set(numbersOf(batch, column) as Float32Array, end);
        end += batch.numRows * dimension;
      }
    }
    if (end !== found.length) throw new RangeError(`Requested ${ascending.length} rows, but found ${end / dimension}`);
    const vectors = new Float32Array(ordinals.length * dimension);
    ordinals.forEach((ordinal, at) => {
      const from = place.get(ordinal)! * dimension;
      vectors.set(found.subarray(from, from + dimension), at * dimension);
    });
    return vectors;
  }

  /** Names the first `count` rows: if another version of the generation returns the same name for as many rows, they are the same. */
  async nameOfRows(count: number): Promise<string> {
    return (await this.addresses.get()).nameOf(count);
  }

  /** In ascending order. */
  async filterOrdinals(filter: string): Promise<Int32Array> {
    const addresses = await this.addresses.get();
    return addresses.ordinalsOf(await this.rowIds(filter)).sort();
  }

  /** The first row that matches a filter. One query is faster than separate ones for its ordinal and its properties. */
  async findRow<K extends MediaField>(filter: string, fields: readonly K[]): Promise<FoundRow<K> | undefined> {
    const addresses = await this.addresses.get();
    const read = this.fieldsToRead(fields);
    for await (const batch of this.scan([ROW_ID, ...read.flatMap(columnsOf)], { filter })) {
      if (batch.numRows === 0) continue;
      const [ordinal] = addresses.ordinalsOf(numbersOf(batch, ROW_ID) as unknown as BigUint64Array);
      return { ordinal: ordinal!, row: this.rowsOf(batch, read, fields)[0]! };
    }
    return undefined;
  }

  /** All rows whose caption matches the query. */
  async keywordHits(query: KeywordQuery): Promise<KeywordHits> {
    const column = await this.indexedCaptions.get();
    if (column === undefined) return this.noHits();
    return (await findKeywords(query, { column, ask: (asked) => this.matching(asked) })) ?? this.noHits();
  }

  /** How to search a column of vectors without reading all of it; undefined if it has no such index. */
  async nearestIndex(column: string): Promise<NearestIndex | undefined> {
    return (await this.nearestIndexes.get()).get(column);
  }

  /** Loads the index of a column of vectors into Lance's cache, if there is one. */
  async loadNearestIndex(column: string): Promise<void> {
    if ((await this.nearestIndex(column)) === undefined) return;
    let loaded = this.loadedIndexes.get(column);
    if (loaded === undefined) {
      loaded = new ReadOnce(() => this.calls.withoutLimit(() => loadIndexOf(this.table, column)));
      this.loadedIndexes.set(column, loaded);
    }
    await loaded.get();
  }

  /** Searches the index of the column; some of the nearest rows may be missing. Ordered by the approximate distances of the index. */
  async nearestOrdinals(asked: NearestAsked): Promise<Int32Array> {
    await this.calls.awaitWhole(this.loadNearestIndex(asked.column), indexIsBeingRead);
    const addresses = await this.addresses.get();
    const found = this.calls.batches(inBatches(askNearest(this.table, asked), BATCH_ROWS));
    return addresses.ordinalsOf(await joinedIds(found));
  }

  /** Whether any row has a caption. */
  hasCaptions(): Promise<boolean> {
    return this.captioned.get();
  }

  /** Whether there are generated captions with their own vector beside captions by people. */
  hasGeneratedBeside(): Promise<boolean> {
    return this.columns.has(GENERATED_CAPTION_VECTOR) ? this.captionedTwice.get() : Promise.resolve(false);
  }

  /** Whether text was read in any row. */
  hasTextLines(): Promise<boolean> {
    return this.withText.get();
  }

  /** The number of rows with a caption by a person or a model. */
  countCaptioned(filter = 'true'): Promise<number> {
    const captions = ['caption', 'generated_caption'].filter((name) => this.columns.has(name));
    return this.countRows(`(${captions.map((name) => `${name} IS NOT NULL`).join(' OR ')}) AND ${filter}`);
  }

  /** Yields batches as Lance returns them, for copying. Columns that this table lacks are omitted. */
  async *scan(columns: readonly string[], options: ReadOptions = {}): AsyncGenerator<RecordBatch> {
    const query = this.table.query().select(this.present(columns));
    if (options.filter !== undefined) query.where(options.filter);
    if (options.from !== undefined) query.offset(options.from);
    const batchRows =
      options.batchRows ?? (columns.some((name) => name.endsWith('embedding')) ? VECTOR_BATCH_ROWS : BATCH_ROWS);
    yield* this.calls.batches(inBatches(query, batchRows));
  }

  private fieldsToRead(fields: readonly MediaField[]): readonly MediaField[] {
    return this.laterLabels !== undefined && fields.some((field) => LABEL_FIELDS.has(field))
      ? fieldsForLabels(fields)
      : fields;
  }

  private rowsOf<K extends MediaField>(
    batch: RecordBatch,
    read: readonly MediaField[],
    fields: readonly K[],
  ): Pick<MediaRow, K>[] {
    const { laterLabels } = this;
    if (laterLabels === undefined || read === fields) return fromRecordBatch(batch, fields);
    return fromRecordBatch(batch, read).map((row) => withLaterLabels(row, fields, laterLabels));
  }

  private async matching(fullText: FullTextQuery): Promise<KeywordHits> {
    const { rows, ranks } = this.noHits();
    const addresses = await this.addresses.get();
    const found = this.table.query().fullTextSearch(fullText).select([ROW_ID, SCORE]).limit(this.rows);
    for await (const batch of this.calls.batches(inBatches(found, BATCH_ROWS))) {
      const ordinals = addresses.ordinalsOf(numbersOf(batch, ROW_ID) as unknown as BigUint64Array);
      const scores = numbersOf(batch, SCORE) as Float32Array;
      for (let i = 0; i < ordinals.length; i++) {
        rows.add(ordinals[i]!);
        ranks[ordinals[i]!] = -scores[i]!;
      }
    }
    return { rows, ranks };
  }

  private noHits(): KeywordHits {
    return { rows: OrdinalSet.none(this.rows), ranks: new Float32Array(this.rows).fill(Infinity) };
  }

  private numbersIn(batch: RecordBatch, name: string, absent = 0): NumberArray {
    return isLaterColumn(name) && !this.columns.has(name)
      ? new Float32Array(batch.numRows).fill(absent)
      : numbersOf(batch, name, absent);
  }

  private present(columns: readonly string[]): string[] {
    return columns.filter((name) => this.columns.has(name) || !isLaterColumn(name));
  }

  private rowIds(filter?: string): Promise<BigUint64Array> {
    return joinedIds(this.scan([ROW_ID], filter === undefined ? {} : { filter }));
  }
}

/** The unique rows in ascending order, and the index of each requested row in it. */
function eachOnce(ordinals: ArrayLike<number>): {
  readonly ascending: Int32Array;
  readonly place: ReadonlyMap<number, number>;
} {
  const ascending = Int32Array.from(new Set(Array.from(ordinals))).sort();
  return { ascending, place: new Map(Array.from(ascending, (ordinal, at) => [ordinal, at])) };
}

async function joinedIds(batches: AsyncIterable<RecordBatch>): Promise<BigUint64Array> {
  const parts: BigUint64Array[] = [];
  let count = 0;
  for await (const batch of batches) {
    const part = numbersOf(batch, ROW_ID) as unknown as BigUint64Array;
    parts.push(part);
    count += part.length;
  }
  const rowIds = new BigUint64Array(count);
  let end = 0;
  for (const part of parts) {
    rowIds.set(part, end);
    end += part.length;
  }
  return rowIds;
}
