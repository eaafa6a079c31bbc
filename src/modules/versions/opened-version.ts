import type { KeywordHits, KeywordQuery } from '../../common/engine/media-table/caption-index';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import type { NearestIndex } from '../../common/engine/media-table/nearest-index';
import type { OutcomeCondition } from '../../common/engine/evaluation/outcome-condition';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { versionName } from '../../common/engine/media-table/table-version';
import { free } from '../../common/engine/vectors/free';
import { nearestScan } from '../../common/engine/vectors/nearest-scan';
import type { VectorColumn } from '../../common/engine/vectors/vector-source';
import type { ScannableVectors } from '../../common/engine/vectors/vector-cache';
import type { CosineScan } from '../../common/engine/vectors/vector-matrix';
import type { DatasetPointer } from '../datasets';
import { KINDS_OF, type EntityType } from './domain/entity-type';
import type { ExploreIndex } from './clusters/domain/explore-index';
import { rowsInClusters } from './clusters/rows-in-clusters';
import type { FolderIndex } from './columns/domain/folder-index';
import { sqlOf, type TextCondition } from './columns/domain/text-condition';
import { type MapPlaces, MapIndex } from './map/domain/map-index';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import type { Measure, MeasureColumns } from './columns/domain/measure-columns';
import type { MetadataColumn } from './columns/domain/metadata-column';
import type { ShapeCondition } from './annotations/domain/shape-condition';
import type { AskedEvaluations } from './evaluations/outcome-cache';
import type { PlacedOutcomes } from './evaluations/placed-outcomes';
import { CountedSourceLabels, SourceLabels, type CountedLabels, type LabelledRows } from './annotations/labelled-rows';
import { saidLabels, type SaidLabels } from './annotations/said-labels';
import type { DuplicateGroups } from './duplicates/domain/duplicate-groups';
import type { FilterableRows } from './filterable-rows';
import type { PreviewCards } from './preview-cards';
import type { TagAssignments } from './tags/domain/tag-assignments';
import { TextScan } from './vectors/text-scan';
import type { UnderstoodText } from '../../common/engine/models/texts/class-texts';
import { type SoughtText, type TextVectors, keyOf } from './vectors/text-vectors';
import type { VersionCaches } from './version-caches';

export interface VersionContent {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  readonly caches: VersionCaches;
  readonly texts: Pick<TextVectors, 'of'>;
  /** Whether the vectors of a dataset that is larger than the memory for them may be searched by an index that misses some rows. */
  readonly mayApproximate?: boolean | undefined;
}

export interface ScanOptions {
  /** After this time, uses the vectors that are loaded so far, as soon as there are some. */
  readonly patienceMs?: number | undefined;
  /** Other rows do not matter. */
  readonly candidates?: OrdinalSet | undefined;
}

/**
 * One version of a dataset, open for one request: declare it by `using`. Data that several filters need is loaded once. What is returned
 * must not refer to scans and keyword hits, which are released with the version.
 */
export class OpenedVersion implements FilterableRows, Disposable {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  private readonly caches: VersionCaches;
  private readonly texts: Pick<TextVectors, 'of'>;
  private readonly textScans = new Map<string, Promise<TextScan | undefined>>();
  private readonly scanned: CosineScan[] = [];
  private readonly scratch: ArrayBufferLike[] = [];
  private readonly keywords = new Map<KeywordQuery, Promise<KeywordHits>>();
  private isReleased = false;
  private leastScanned: number | undefined;
  private leastRecall: number | undefined;
  private toldTexts: readonly UnderstoodText[] | undefined;
  private readonly mayApproximate: boolean;

  constructor(content: VersionContent) {
    ({ pointer: this.pointer, table: this.table, index: this.index } = content);
    ({ caches: this.caches, texts: this.texts } = content);
    this.mayApproximate = content.mayApproximate === true;
  }

  get rows(): number {
    return this.table.rows;
  }

  /** The number of first rows that all scans covered; fewer than all only after `patienceMs`, while vectors are being read. */
  get scannedRows(): number {
    return this.leastScanned ?? this.rows;
  }

  /** The share of the nearest rows that scans are expected to have found; undefined if none can have missed any. */
  get recall(): number | undefined {
    return this.leastRecall;
  }

  /** What texts were understood as; undefined if no text was compared with pictures by the classes that it names. */
  get understood(): readonly UnderstoodText[] | undefined {
    return this.toldTexts;
  }

  /** Undefined while the cards are not in memory. */
  cards(): PreviewCards | undefined {
    return this.caches.cards.get(this.table);
  }

  measures(): Promise<MeasureColumns> {
    return this.caches.measures.of(this.table);
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
    return this.caches.places.of(this.table);
  }

  /** The placed rows of a type. */
  map(type: EntityType): Promise<MapIndex> {
    return this.caches.maps.getOrLoad(`${versionName(this.table.at)} ${type}`, async () =>
      MapIndex.build(await this.places(), await this.index.rowsOf(KINDS_OF[type])),
    );
  }

  folders(): Promise<FolderIndex> {
    return this.caches.folders.of(this.table);
  }

  async saidBy(source: string, condition: ShapeCondition): Promise<LabelledRows> {
    const placed = await this.caches.annotations.open(this.pointer, this.table, source);
    return new SourceLabels(placed, condition, this.rows);
  }

  /** What a source says in annotations that pass; without a source, what people say and taggers found. */
  async labels(source?: string, condition: ShapeCondition = {}): Promise<CountedLabels> {
    if (source === undefined) return this.index.labels;
    const placed = await this.caches.annotations.open(this.pointer, this.table, source);
    return new CountedSourceLabels(placed, condition, this.rows);
  }

  /** By the file of an evaluation. */
  outcomes(file: string): Promise<PlacedOutcomes> {
    return this.caches.outcomes.place(file, this.table);
  }

  withOutcomes(condition: OutcomeCondition, asked: AskedEvaluations): Promise<OrdinalSet> {
    return this.caches.outcomes.rowsWith(this.table, condition, asked);
  }

  /** What each source says about some rows. */
  saidAbout(rows: readonly number[]): Promise<ReadonlyMap<number, SaidLabels>> {
    const { pointer, table, index } = this;
    return saidLabels(this.caches.annotations, { pointer, table, kindOf: (row) => index.kindOf(row) }, rows);
  }

  metadata(field: string): Promise<MetadataColumn | undefined> {
    return this.caches.metadata.one(this.table, field);
  }

  /** One after the other, in the order of their names. */
  allMetadata(): AsyncIterable<MetadataColumn> {
    return this.caches.metadata.all(this.table);
  }

  tags(): Promise<TagAssignments> {
    return this.caches.tags.open(this.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.caches.duplicates.open(this, entityType, similarity);
  }

  /** Loads what searches by image or text will need, in the background. */
  prepareVectors(): void {
    this.caches.ahead.prepare(this.pointer, this.table);
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
  scanText(sought: SoughtText, options: ScanOptions = {}): Promise<TextScan | undefined> {
    const key = keyOf(sought);
    let scan = this.textScans.get(key);
    if (scan === undefined) {
      scan = this.scanVectorsOf(sought, options);
      this.textScans.set(key, scan);
    }
    return scan;
  }

  scanImages(vector: Float32Array, options: ScanOptions = {}): Promise<CosineScan> {
    return this.scan('embedding', vector, options);
  }

  inClusters(ids: readonly string[]): Promise<OrdinalSet> {
    return rowsInClusters(this.pointer, this.index, ids);
  }

  async where(condition: TextCondition): Promise<OrdinalSet> {
    return OrdinalSet.of(this.rows, await this.table.filterOrdinals(sqlOf(condition)));
  }

  /**
   * Frees memory proportional to the rows of the dataset. The garbage collector would otherwise pause all requests for it, several
   * times a second under load.
   */
  [Symbol.dispose](): void {
    this.isReleased = true;
    free(this.scratch);
    for (const scan of this.scanned) scan.release();
    for (const scan of this.textScans.values())
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

  private async scanVectorsOf(sought: SoughtText, options: ScanOptions): Promise<TextScan | undefined> {
    const { vectors, understood } = await this.texts.of(this.pointer, this.table, sought);
    if (understood !== undefined) this.toldTexts = [...(this.toldTexts ?? []), ...understood];
    const [first, ...others] = await Promise.all(
      vectors.map(async ({ column, vector, ...rest }) => ({ scan: await this.scan(column, vector, options), ...rest })),
    );
    return first === undefined ? undefined : new TextScan([first, ...others]);
  }

  private async scan(column: VectorColumn, vector: Float32Array, options: ScanOptions): Promise<CosineScan> {
    const index = this.mayApproximate ? await this.nearestIndex(column) : undefined;
    const scan = await (index === undefined
      ? this.scanAll(column, vector, options)
      : this.scanNearest(column, vector, index, options));
    if (this.isReleased) scan.release();
    else this.scanned.push(scan);
    return scan;
  }

  /** Undefined for a column that fits into the memory for vectors, and without such an index. */
  private async nearestIndex(column: VectorColumn): Promise<NearestIndex | undefined> {
    return this.caches.vectors.holdsColumn(this.table, column) ? undefined : this.table.nearestIndex(column);
  }

  private scanAll(column: VectorColumn, vector: Float32Array, { patienceMs }: ScanOptions): Promise<CosineScan> {
    const scanned = (vectors: ScannableVectors): Promise<CosineScan> => {
      this.leastScanned = Math.min(this.scannedRows, vectors.rows);
      return vectors.scan(vector, this.rows);
    };
    return this.caches.vectors.use(this.table, column, scanned, patienceMs);
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
