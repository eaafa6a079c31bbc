import type { KeywordHits } from '../../common/engine/media-table/keyword-hits';
import type { KeywordQuery } from '../../common/engine/media-table/keyword-query';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import type { NearestIndex } from '../../common/engine/media-table/nearest-index';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { free } from '../../common/engine/vectors/free';
import { nearestScan } from '../../common/engine/vectors/nearest-scan';
import type { VectorColumn } from '../../common/engine/vectors/table-vectors';
import type { ScannableVectors } from '../../common/engine/vectors/vector-cache';
import type { CosineScan } from '../../common/engine/vectors/vector-matrix';
import type { DatasetPointer } from '../datasets';
import type { EntityType } from './domain/entity-type';
import type { ExploreIndex } from './domain/explore-index';
import type { FolderIndex } from './domain/folder-index';
import type { MapPlaces } from './map/domain/map-places';
import type { MapParts } from './map/map-parts';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import type { Measure, MeasureColumns } from './domain/measure-columns';
import type { MetadataColumn } from './domain/metadata-column';
import { sqlOf, type TextCondition } from './domain/text-condition';
import type { DuplicateGroups } from './duplicates/duplicate-groups';
import type { FilterableRows } from './filterable-rows';
import type { MetadataColumns } from './metadata-columns';
import type { PreviewCards } from './preview-cards';
import type { TagAssignments } from './tags/domain/tag-assignments';
import { TextScan } from './text-scan';
import type { TextVector } from './text-vectors';

/** Loads the parts of a version, each from a cache that all datasets share. */
export interface VersionParts {
  cards(table: MediaTable): PreviewCards | undefined;
  measures(table: MediaTable): Promise<MeasureColumns>;
  folders(table: MediaTable): Promise<FolderIndex>;
  readonly map: MapParts;
  readonly metadata: MetadataColumns;
  tags(pointer: DatasetPointer): Promise<TagAssignments>;
  duplicates(table: MediaTable, entityType: EntityType, similarity: number): Promise<DuplicateGroups>;
  /** Loads what searches by image or text will need, in the background. */
  prepareVectors(pointer: DatasetPointer, table: MediaTable): void;
  /** After `patienceMs` the vectors that were read so far are enough, as soon as there are some. */
  useVectors<T>(
    table: MediaTable,
    column: VectorColumn,
    use: (vectors: ScannableVectors) => Promise<T>,
    patienceMs?: number,
  ): Promise<T>;
  /** How a column is searched that is larger than the memory for vectors; undefined for others, and without such an index. */
  nearestIndex(table: MediaTable, column: VectorColumn): Promise<NearestIndex | undefined>;
  /** Empty if no model has a vector for the text. */
  textVectors(pointer: DatasetPointer, table: MediaTable, text: string): Promise<readonly TextVector[]>;
}

export interface VersionContent {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  readonly parts: VersionParts;
  /** Whether the vectors of a dataset that is larger than the memory for them may be searched by an index that misses some rows. */
  readonly mayApproximate?: boolean | undefined;
}

export interface ScanOptions {
  /** After so long the vectors that were read so far are enough. */
  readonly patienceMs?: number | undefined;
  /** Other rows do not matter. */
  readonly candidates?: OrdinalSet | undefined;
}

/** One version of a dataset, open for one request. Data that several filters need is loaded once. */
export class OpenedVersion implements FilterableRows {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  private readonly parts: VersionParts;
  private readonly texts = new Map<string, Promise<TextScan | undefined>>();
  private readonly scanned: CosineScan[] = [];
  private readonly scratch: ArrayBufferLike[] = [];
  private readonly keywords = new Map<KeywordQuery, Promise<KeywordHits>>();
  private isReleased = false;
  private leastScanned: number | undefined;
  private leastRecall: number | undefined;
  private readonly mayApproximate: boolean;

  private constructor(content: VersionContent) {
    ({ pointer: this.pointer, table: this.table, index: this.index, parts: this.parts } = content);
    this.mayApproximate = content.mayApproximate === true;
  }

  /** Scans and keyword hits are released when `work` ends; it must not return them. */
  static async use<T>(content: VersionContent, work: (version: OpenedVersion) => Promise<T>): Promise<T> {
    const version = new OpenedVersion(content);
    try {
      return await work(version);
    } finally {
      version.release();
    }
  }

  get rows(): number {
    return this.table.rows;
  }

  /** How many of the first rows all scans went through; fewer than all while vectors are being read, for who has no more patience. */
  get scannedRows(): number {
    return this.leastScanned ?? this.rows;
  }

  /** The share of the nearest rows that scans are expected to have found; undefined if none can have missed any. */
  get recall(): number | undefined {
    return this.leastRecall;
  }

  /** Undefined while the cards are not in memory. */
  cards(): PreviewCards | undefined {
    return this.parts.cards(this.table);
  }

  measures(): Promise<MeasureColumns> {
    return this.parts.measures(this.table);
  }

  /** A measure of each row, negative for an order from the highest. */
  async ordered(measure: Measure, isDescending: boolean): Promise<Float32Array> {
    const column = (await this.measures())[measure];
    const ordered = new Float32Array(column.length);
    this.scratch.push(ordered.buffer);
    const sign = isDescending ? -1 : 1;
    await inSlices(column.length, (start, end) => {
      for (let row = start; row < end; row++) ordered[row] = sign * column[row]!;
    });
    return ordered;
  }

  places(): Promise<MapPlaces> {
    return this.parts.map.places(this.table);
  }

  folders(): Promise<FolderIndex> {
    return this.parts.folders(this.table);
  }

  metadata(field: string): Promise<MetadataColumn | undefined> {
    return this.parts.metadata.one(this.table, field);
  }

  /** One after the other, in the order of their names. */
  allMetadata(): AsyncIterable<MetadataColumn> {
    return this.parts.metadata.all(this.table);
  }

  tags(): Promise<TagAssignments> {
    return this.parts.tags(this.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.parts.duplicates(this.table, entityType, similarity);
  }

  prepareVectors(): void {
    this.parts.prepareVectors(this.pointer, this.table);
  }

  keywordHits(query: KeywordQuery): Promise<KeywordHits> {
    let hits = this.keywords.get(query);
    if (hits === undefined) {
      hits = this.table.keywordHits(query);
      this.keywords.set(query, hits);
    }
    return hits;
  }

  /** Distances of captions and pictures to the text; undefined if no model has a vector for it. The first options for a text hold. */
  scanText(text: string, options: ScanOptions = {}): Promise<TextScan | undefined> {
    let scan = this.texts.get(text);
    if (scan === undefined) {
      scan = this.scanVectorsOf(text, options);
      this.texts.set(text, scan);
    }
    return scan;
  }

  scanImages(vector: Float32Array, options: ScanOptions = {}): Promise<CosineScan> {
    return this.scan('embedding', vector, options);
  }

  async where(condition: TextCondition): Promise<OrdinalSet> {
    return OrdinalSet.of(this.rows, await this.table.filterOrdinals(sqlOf(condition)));
  }

  /**
   * Frees memory proportional to the rows of the dataset. The garbage collector would otherwise pause all requests for it, several
   * times a second under load.
   */
  private release(): void {
    this.isReleased = true;
    free(this.scratch);
    for (const scan of this.scanned) scan.release();
    for (const scan of this.texts.values())
      scan.then(
        (text) => text?.release(),
        () => undefined,
      );
    for (const hits of this.keywords.values())
      hits.then(
        ({ ranks }) => free([ranks.buffer]),
        () => undefined,
      );
  }

  private async scanVectorsOf(text: string, options: ScanOptions): Promise<TextScan | undefined> {
    const vectors = await this.parts.textVectors(this.pointer, this.table, text);
    const [first, ...others] = await Promise.all(
      vectors.map(async ({ column, vector, scale }) => ({ scan: await this.scan(column, vector, options), scale })),
    );
    return first === undefined ? undefined : new TextScan([first, ...others]);
  }

  private async scan(column: VectorColumn, vector: Float32Array, options: ScanOptions): Promise<CosineScan> {
    const index = this.mayApproximate ? await this.parts.nearestIndex(this.table, column) : undefined;
    const scan = await (index === undefined
      ? this.scanAll(column, vector, options)
      : this.scanNearest(column, vector, index, options));
    if (this.isReleased) scan.release();
    else this.scanned.push(scan);
    return scan;
  }

  private scanAll(column: VectorColumn, vector: Float32Array, { patienceMs }: ScanOptions): Promise<CosineScan> {
    const scanned = (vectors: ScannableVectors): Promise<CosineScan> => {
      this.leastScanned = Math.min(this.scannedRows, vectors.rows);
      return vectors.scan(vector, this.rows);
    };
    return this.parts.useVectors(this.table, column, scanned, patienceMs);
  }

  private async scanNearest(
    column: VectorColumn,
    vector: Float32Array,
    index: NearestIndex,
    { candidates }: ScanOptions,
  ): Promise<CosineScan> {
    const { scan, isApproximate } = await nearestScan(this.table, column, index, vector, candidates);
    if (isApproximate) this.leastRecall = Math.min(this.leastRecall ?? 1, index.recall);
    return scan;
  }
}
