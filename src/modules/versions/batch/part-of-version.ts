import { firstAtOrAbove } from '../domain/first-at-or-above';
import type { KeywordQuery } from '../../../common/engine/media-table/caption-index';
import type { EntityKind, MediaRow } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { cosineDistance } from '../../../common/engine/vectors/exact-distances';
import { VECTOR_FIELDS, type VectorColumn } from '../../../common/engine/vectors/vector-source';
import { isWithin, type Cut } from '../../../common/engine/vectors/vector-matrix';
import type { BatchOfVersion } from './batch-of-version';
import type { EntityType } from '../domain/entity-type';
import { FolderIndex } from '../columns/domain/folder-index';
import { LabelIndex } from '../columns/domain/label-index';
import type { MapPlaces } from '../map/domain/map-places';
import type { MetadataColumn } from '../columns/domain/metadata-column';
import type { MeasureColumns } from '../columns/domain/measure-columns';
import { testOf, type TextCondition } from '../columns/domain/text-condition';
import { cutOnScale } from '../vectors/text-scan';
import type { FilterableRows } from '../filterable-rows';
import { columnOf } from '../columns/metadata-columns';

const FIELDS = [
  'id',
  'kind',
  'parentId',
  'labels',
  'path',
  'fileName',
  'batchId',
  'blurConfidence',
  'darkConfidence',
  'brightConfidence',
  'outlierConfidence',
  'mislabelConfidence',
  'classOutlierConfidence',
  'uniqueness',
  'width',
  'height',
  'sizeBytes',
  'mapPlace',
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
    const { media } = this;
    this.columns ??= {
      blur: Float32Array.from(media, (row) => row.blurConfidence),
      dark: Float32Array.from(media, (row) => row.darkConfidence),
      bright: Float32Array.from(media, (row) => row.brightConfidence),
      outliers: Float32Array.from(media, (row) => row.outlierConfidence),
      mislabels: Float32Array.from(media, (row) => row.mislabelConfidence ?? 0),
      class_outliers: Float32Array.from(media, (row) => row.classOutlierConfidence ?? 0),
      uniqueness: Float32Array.from(media, (row) => row.uniqueness),
      width: Int32Array.from(media, (row) => row.width),
      height: Int32Array.from(media, (row) => row.height),
      size: Float64Array.from(media, (row) => row.sizeBytes),
    };
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
    text: string,
  ): Promise<{ within(cut: Cut, candidates?: OrdinalSet): Promise<OrdinalSet> } | undefined> {
    const asked = await this.batch.textVectors(text);
    if (asked.length === 0) return undefined;
    const compared = await Promise.all(asked.map(async (of) => ({ ...of, vectors: await this.vectorsIn(of.column) })));
    return {
      within: (cut, candidates) => {
        const found = OrdinalSet.none(this.rows);
        for (const { vector: text, scale, vectors } of compared) {
          const own = cutOnScale(scale, cut);
          for (const [row, vector] of vectors.entries()) {
            if (vector === null || candidates?.has(row) === false) continue;
            if (isWithin(own, cosineDistance(text, vector, 0))) found.add(row);
          }
        }
        return Promise.resolve(found);
      },
    };
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
