import type { KeywordHits, KeywordQuery } from '../../common/engine/media-table/caption-index';
import type { OutcomeCondition } from '../../common/engine/evaluation/outcome-condition';
import type { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import type { EntityType } from './domain/entity-type';
import type { ShapeCondition } from './annotations/domain/shape-condition';
import type { AskedEvaluations } from './evaluations/outcome-cache';
import type { LabelledRows } from './annotations/labelled-rows';
import type { ExploreIndex } from './clusters/domain/explore-index';
import type { FolderIndex } from './columns/domain/folder-index';
import type { TextCondition } from './columns/domain/text-condition';
import type { MetadataColumn } from './columns/domain/metadata-column';
import type { MapPlaces } from './map/domain/map-index';
import type { MeasureColumns } from './columns/domain/measure-columns';
import type { DuplicateGroups } from './duplicates/domain/duplicate-groups';
import type { TagAssignments } from './tags/domain/tag-assignments';
import type { TextScan } from './vectors/text-scan';
import type { SoughtText } from './vectors/text-vectors';

/** The rows that filters are evaluated on: a whole version, or a part. */
export interface FilterableRows {
  readonly rows: number;
  /** The labels of annotations of a source that fulfil a condition; none if there is no such source. */
  saidBy(source: string, condition: ShapeCondition): Promise<LabelledRows>;
  withOutcomes(condition: OutcomeCondition, asked: AskedEvaluations): Promise<OrdinalSet>;
  readonly index: Pick<ExploreIndex, 'labels' | 'rowsOf'>;
  measures(): Promise<MeasureColumns>;
  folders(): Promise<FolderIndex>;
  /** On the map. */
  places(): Promise<MapPlaces>;
  tags(): Promise<Pick<TagAssignments, 'with' | 'tagged'>>;
  duplicates(entityType: EntityType, similarity: number): Promise<Pick<DuplicateGroups, 'groupOf'>>;
  keywordHits(query: KeywordQuery): Promise<Pick<KeywordHits, 'rows'>>;
  /** Undefined if no model has a vector for the text. Only candidates matter. */
  scanText(
    sought: SoughtText,
    options?: { readonly candidates?: OrdinalSet | undefined },
  ): Promise<Pick<TextScan, 'within'> | undefined>;
  /** By the ids of clusters. */
  inClusters(ids: readonly string[]): Promise<OrdinalSet>;
  /** Undefined if no row has a value of the field. */
  metadata(field: string): Promise<MetadataColumn | undefined>;
  where(condition: TextCondition): Promise<OrdinalSet>;
}
