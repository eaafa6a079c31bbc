import type { KeywordHits } from '../../common/engine/media-table/keyword-hits';
import type { KeywordQuery } from '../../common/engine/media-table/keyword-query';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { free } from '../../common/engine/vectors/free';
import type { CosineScan, VectorMatrix } from '../../common/engine/vectors/vector-matrix';
import type { DatasetPointer } from '../datasets';
import type { EntityType } from './domain/entity-type';
import type { ExploreIndex } from './domain/explore-index';
import type { FolderIndex } from './domain/folder-index';
import type { MeasureColumns } from './domain/measure-columns';
import { sqlOf, type TextCondition } from './domain/text-condition';
import type { DuplicateGroups } from './duplicates/duplicate-groups';
import type { FilterableRows } from './filterable-rows';
import type { PreviewCards } from './preview-cards';
import type { TagAssignments } from './tags/domain/tag-assignments';

/** Loads the parts of a version, each from a cache that all datasets share. */
export interface VersionParts {
  cards(table: MediaTable): PreviewCards | undefined;
  measures(table: MediaTable): Promise<MeasureColumns>;
  folders(table: MediaTable): Promise<FolderIndex>;
  tags(pointer: DatasetPointer): Promise<TagAssignments>;
  duplicates(table: MediaTable, entityType: EntityType, similarity: number): Promise<DuplicateGroups>;
  useVectors<T>(
    table: MediaTable,
    column: 'embedding' | 'caption_embedding',
    use: (matrix: VectorMatrix) => Promise<T>,
  ): Promise<T>;
  /** Undefined if the model has no vector for the text. */
  textVector(table: MediaTable, modelId: string, text: string): Promise<Float32Array | undefined>;
}

export interface VersionContent {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  readonly parts: VersionParts;
}

/** One version of a dataset, open for one request. Data that several filters need is loaded once. */
export class OpenedVersion implements FilterableRows {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly index: ExploreIndex;
  private readonly parts: VersionParts;
  private readonly scans = new Map<string, Promise<CosineScan | undefined>>();
  private readonly scanned: CosineScan[] = [];
  private readonly keywords = new Map<KeywordQuery, Promise<KeywordHits>>();
  private isReleased = false;

  private constructor(content: VersionContent) {
    ({ pointer: this.pointer, table: this.table, index: this.index, parts: this.parts } = content);
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

  /** Undefined while the cards are not in memory. */
  cards(): PreviewCards | undefined {
    return this.parts.cards(this.table);
  }

  measures(): Promise<MeasureColumns> {
    return this.parts.measures(this.table);
  }

  folders(): Promise<FolderIndex> {
    return this.parts.folders(this.table);
  }

  tags(): Promise<TagAssignments> {
    return this.parts.tags(this.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.parts.duplicates(this.table, entityType, similarity);
  }

  keywordHits(query: KeywordQuery): Promise<KeywordHits> {
    let hits = this.keywords.get(query);
    if (hits === undefined) {
      hits = this.table.keywordHits(query);
      this.keywords.set(query, hits);
    }
    return hits;
  }

  /** Distances of the captions to the text; undefined if the model has no vector for it. */
  scanText(text: string): Promise<CosineScan | undefined> {
    let scan = this.scans.get(text);
    if (scan === undefined) {
      scan = this.parts
        .textVector(this.table, this.pointer.textModelId, text)
        .then(async (vector) => (vector === undefined ? undefined : this.scan('caption_embedding', vector)));
      this.scans.set(text, scan);
    }
    return scan;
  }

  scanImages(vector: Float32Array): Promise<CosineScan> {
    return this.scan('embedding', vector);
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
    for (const scan of this.scanned) scan.release();
    for (const hits of this.keywords.values())
      hits.then(
        ({ ranks }) => free([ranks.buffer]),
        () => undefined,
      );
  }

  private async scan(column: 'embedding' | 'caption_embedding', vector: Float32Array): Promise<CosineScan> {
    const scan = await this.parts.useVectors(this.table, column, (matrix) => matrix.scan(vector));
    if (this.isReleased) scan.release();
    else this.scanned.push(scan);
    return scan;
  }
}
