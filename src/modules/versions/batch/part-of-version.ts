import { firstAtOrAbove, type EntityType } from '../domain/entity-type';
import type { KeywordQuery } from '../../../common/engine/media-table/caption-index';
import type { EntityKind, MediaRow } from '../../../common/engine/media-table/media-row';
import type { OutcomeCondition } from '../../../common/engine/evaluation/outcome-condition';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { cosineDistance } from '../../../common/engine/vectors/exact-distances';
import { VECTOR_FIELDS, type VectorColumn } from '../../../common/engine/vectors/vector-source';
import { isWithin, type Cut } from '../../../common/engine/vectors/vector-matrix';
import { FolderIndex } from '../columns/domain/folder-index';
import { sqlOf, testOf, type TextCondition } from '../columns/domain/text-condition';
import { LabelIndex } from '../columns/domain/label-index';
import type { MapPlaces } from '../map/domain/map-index';
import type { MetadataColumn } from '../columns/domain/metadata-column';
import { MEASURE_FIELDS, measuresOf, type MeasureColumns } from '../columns/domain/measure-columns';
import { rowsInClusters } from '../clusters/rows-in-clusters';
import { cutOf } from '../vectors/text-scan';
import type { FilterableRows } from '../filterable-rows';
import { columnOf } from '../columns/metadata-columns';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { DuplicateGroups } from '../duplicates/domain/duplicate-groups';
import type { VersionContent } from '../opened-version';
import type { ShapeCondition } from '../annotations/domain/shape-condition';
import { SourceLabels, type LabelledRows } from '../annotations/labelled-rows';
import type { AskedEvaluations } from '../evaluations/outcome-cache';
import type { PlacedSource } from '../annotations/placed-source';
import type { TagAssignments } from '../tags/domain/tag-assignments';
import { type SoughtText, type TextVector, keyOf } from '../vectors/text-vectors';

type BatchContent = Pick<VersionContent, 'pointer' | 'table' | 'caches' | 'texts'>;

/** The media of one batch, in one version of a dataset. Results for the whole version are shared by all queries. */
export class BatchOfVersion {
  private readonly hits = new Map<string, Promise<Int32Array>>();
  private readonly texts = new Map<string, Promise<readonly TextVector[]>>();

  private constructor(
    private readonly of: BatchContent,
    /** Ascending. */
    readonly ordinals: Int32Array,
  ) {}

  static async open(of: BatchContent, batchId: string): Promise<BatchOfVersion> {
    const ordinals = await of.table.filterOrdinals(sqlOf({ field: 'batchId', op: 'one_of', values: [batchId] }));
    return new BatchOfVersion(of, ordinals);
  }

  get table(): MediaTable {
    return this.of.table;
  }

  tags(): Promise<TagAssignments> {
    return this.of.caches.tags.open(this.of.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.of.caches.duplicates.open(this.of, entityType, similarity);
  }

  saidBy(source: string): Promise<PlacedSource | undefined> {
    return this.of.caches.annotations.open(this.of.pointer, this.table, source);
  }

  withOutcomes(condition: OutcomeCondition, asked: AskedEvaluations): Promise<OrdinalSet> {
    return this.of.caches.outcomes.rowsWith(this.table, condition, asked);
  }

  /** Whether an evaluation compared any of the media. */
  async hasOutcomes(file: string): Promise<boolean> {
    const placed = await this.of.caches.outcomes.place(file, this.table);
    return placed.hasAnyOf(OrdinalSet.of(this.table.rows, this.ordinals));
  }

  async inClusters(ids: readonly string[]): Promise<OrdinalSet> {
    return rowsInClusters(this.of.pointer, await this.of.caches.indexes.open(this.table), ids);
  }

  /** Hits within the batch, ascending. */
  keywordHits(query: KeywordQuery): Promise<Int32Array> {
    return memoize(this.hits, JSON.stringify(query), async () => {
      const { rows } = await this.table.keywordHits(query);
      return this.ordinals.filter((ordinal) => rows.has(ordinal));
    });
  }

  /** Empty if no model has a vector for the text. */
  textVectors(sought: SoughtText): Promise<readonly TextVector[]> {
    return memoize(this.texts, keyOf(sought), async () => {
      const { vectors } = await this.of.texts.of(this.of.pointer, this.table, sought);
      return vectors;
    });
  }
}

const FIELDS = [
  'id',
  'kind',
  'parentId',
  'labels',
  'path',
  'fileName',
  'batchId',
  'mapPlace',
  ...MEASURE_FIELDS,
] as const;
type PartRow = Pick<MediaRow, (typeof FIELDS)[number]>;

/** Some rows of a version, numbered from 0. Tags, groups and keyword hits are those of the whole version. */
export class PartOfVersion implements FilterableRows {
  readonly index: { readonly labels: LabelIndex; rowsOf(kinds: readonly EntityKind[]): Promise<OrdinalSet> };
  private columns: MeasureColumns | undefined;
  private folderIndex: FolderIndex | undefined;
  private custom: Promise<readonly Pick<MediaRow, 'customMetadata'>[]> | undefined;
  private readonly vectors = new Map<VectorColumn, Promise<readonly (Float32Array | null)[]>>();

  private constructor(
    private readonly batch: BatchOfVersion,
    /** Ascending. */
    private readonly ordinals: Int32Array,
    private readonly media: readonly PartRow[],
    labels: LabelIndex,
  ) {
    this.index = {
      labels,
      rowsOf: (kinds) => Promise.resolve(this.passing(({ kind }) => kinds.includes(kind))),
    };
  }

  static async open(batch: BatchOfVersion, ordinals: Int32Array): Promise<PartOfVersion> {
    const media = await batch.table.takeRows(ordinals, FIELDS);
    const labels = LabelIndex.builder(media.length);
    for (const row of media) labels.add(row.labels);
    return new PartOfVersion(batch, ordinals, media, await labels.build());
  }

  get rows(): number {
    return this.media.length;
  }

  at(row: number): Pick<PartRow, 'id' | 'kind' | 'parentId'> {
    return this.media[row]!;
  }

  measures(): Promise<MeasureColumns> {
    this.columns ??= measuresOf(this.media);
    return Promise.resolve(this.columns);
  }

  places(): Promise<MapPlaces> {
    return Promise.resolve({
      x: Float32Array.from(this.media, ({ mapPlace }) => mapPlace?.x ?? NaN),
      y: Float32Array.from(this.media, ({ mapPlace }) => mapPlace?.y ?? NaN),
    });
  }

  folders(): Promise<FolderIndex> {
    if (this.folderIndex === undefined) {
      const folders = FolderIndex.builder(this.rows);
      for (const { path } of this.media) folders.add(path);
      this.folderIndex = folders.build();
    }
    return Promise.resolve(this.folderIndex);
  }

  async metadata(field: string): Promise<MetadataColumn | undefined> {
    this.custom ??= this.batch.table.takeRows(this.ordinals, ['customMetadata']);
    return columnOf(await this.custom, field);
  }

  async inClusters(ids: readonly string[]): Promise<OrdinalSet> {
    return OrdinalSet.of(this.rows, this.among((await this.batch.inClusters(ids)).toArray()));
  }

  async tags(): Promise<{ with(id: string): Int32Array; tagged(): Int32Array }> {
    const tags = await this.batch.tags();
    return { with: (id) => this.among(tags.with(id)), tagged: () => this.among(tags.tagged()) };
  }

  async duplicates(entityType: EntityType, similarity: number): Promise<{ groupOf: Int32Array }> {
    const { groupOf } = await this.batch.duplicates(entityType, similarity);
    return { groupOf: this.ordinals.map((ordinal) => groupOf[ordinal]!) };
  }

  async keywordHits(query: KeywordQuery): Promise<{ rows: OrdinalSet }> {
    return { rows: OrdinalSet.of(this.rows, this.among(await this.batch.keywordHits(query))) };
  }

  async scanText(
    sought: SoughtText,
  ): Promise<{ within(cut: Cut, candidates?: OrdinalSet): Promise<OrdinalSet> } | undefined> {
    const asked = await this.batch.textVectors(sought);
    if (asked.length === 0) return undefined;
    const compared = await Promise.all(asked.map(async (of) => ({ ...of, vectors: await this.vectorsIn(of.column) })));
    return {
      within: (cut, candidates) => {
        const found = OrdinalSet.none(this.rows);
        for (const { vector: text, vectors, ...kind } of compared) {
          const own = cutOf(kind, cut);
          for (const [row, vector] of vectors.entries()) {
            if (vector === null || candidates?.has(row) === false) continue;
            if (isWithin(own, cosineDistance(text, vector, 0))) found.add(row);
          }
        }
        return Promise.resolve(found);
      },
    };
  }

  async saidBy(source: string, condition: ShapeCondition): Promise<LabelledRows> {
    return new SourceLabels(await this.batch.saidBy(source), condition, this.rows, this.ordinals);
  }

  async withOutcomes(condition: OutcomeCondition, asked: AskedEvaluations): Promise<OrdinalSet> {
    const found = await this.batch.withOutcomes(condition, asked);
    return OrdinalSet.of(
      this.rows,
      Int32Array.from(this.ordinals.keys()).filter((row) => found.has(this.ordinals[row]!)),
    );
  }

  where(condition: TextCondition): Promise<OrdinalSet> {
    const test = testOf(condition);
    return Promise.resolve(this.passing((row) => test(row[condition.field])));
  }

  private vectorsIn(column: VectorColumn): Promise<readonly (Float32Array | null)[]> {
    const field = VECTOR_FIELDS[column];
    let vectors = this.vectors.get(column);
    if (vectors === undefined) {
      vectors = this.batch.table.takeRows(this.ordinals, [field]).then((rows) => rows.map((row) => row[field]));
      this.vectors.set(column, vectors);
    }
    return vectors;
  }

  private passing(test: (row: PartRow) => boolean): OrdinalSet {
    const found = OrdinalSet.none(this.rows);
    for (const [row, media] of this.media.entries()) if (test(media)) found.add(row);
    return found;
  }

  /** The rows of this part that are in a sorted list of ordinals. */
  private among(ordinals: Int32Array): Int32Array {
    const rows: number[] = [];
    for (const [row, ordinal] of this.ordinals.entries())
      if (ordinals[firstAtOrAbove(ordinals, ordinal)] === ordinal) rows.push(row);
    return Int32Array.from(rows);
  }
}

/** Failures are not cached. */
function memoize<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const present = known.get(key);
  if (present !== undefined) return present;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
