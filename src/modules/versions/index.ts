export { VersionsModule } from './versions.module';
export { PublishedStateReader, type PublishedState } from './persistence/published-state.reader';
export { VersionOpener } from './version-opener';
export type { OpenedVersion } from './opened-version';
export { PartOfVersion } from './batch/part-of-version';
export type { FilterableRows } from './filterable-rows';
export { findOrdinal, findOrdinals, findWithId, ordinalsById } from './find-ordinals';
export type { PreviewCards } from './preview-cards';

export { ENTITY_TYPES, KINDS_OF, kindSet, type EntityType } from './domain/entity-type';
export { clusterId, parseClusterId, type Clusterings, type ClusterRef } from './clusters/domain/cluster-id';
export {
  CLUSTERS_PER_PAGE,
  type ClusterPage,
  type ClusterSummary,
  type ExploreIndex,
  type PreviewPlace,
} from './clusters/domain/explore-index';
export { lowestPlaces, scoredRows } from './clusters/domain/lowest-scores';
export { orderBySize } from './clusters/domain/order-by-size';
export type { RowRanking } from './clusters/domain/row-ranking';

export { loadBatches, type RowBatches } from './columns/measure-columns-loader';
export { folderOf, type FolderCount } from './columns/domain/folder-index';
export type { LabelCount } from './columns/domain/label-index';
export {
  byWords,
  ISSUE_FIELDS,
  issuesOf,
  MEASURED_ISSUES,
  rowsAbove,
  rowsBetween,
  type Measure,
  type MeasuredIssue,
} from './columns/domain/measure-columns';
export type { MetadataColumn, MetadataCondition, MetadataOp, ValueCount } from './columns/domain/metadata-column';
export type { TextOp } from './columns/domain/text-condition';
export { encoderOf, type SoughtText } from './vectors/text-vectors';

export { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
export type { DuplicateGroups } from './duplicates/domain/duplicate-groups';
export { GROUP_DOUBTS, type GroupDoubt } from './duplicates/domain/group-doubts';
export { LEAST_SIMILARITY, NEAR_DUPLICATES, similarityOf } from '../../common/engine/similarity/near-duplicates';
export { NOT_KEPT } from './duplicates/domain/duplicate-groups';

export { MAX_ZOOM, type MapTile, type TilePoints } from './map/domain/map-index';
export type { MapPlaces } from './map/domain/map-index';

export { annotationStatesPersistence } from './annotations/persistence/schema';
export { AnnotationStateRepository } from './annotations/persistence/annotation-state.repository';
export { annotationKeys, AnnotationFiles } from './annotations/annotation-files';
export { isSourceOfTable, SourceAnnotations } from './annotations/source-annotations';
export { annotationDifferences, type SourceDifferences } from './annotations/annotation-differences';
export type { ShapeCondition } from './annotations/domain/shape-condition';
export type { SaidLabels } from './annotations/said-labels';
export { modelSources } from './annotations/table-sources';
export type { LabelledRows } from './annotations/labelled-rows';
export { CountedRows } from './annotations/domain/counted-rows';
export { UNLABELLED } from './annotations/table-sources';
export type { MediaIds } from './annotations/domain/media-ids';
export { objectId } from './annotations/domain/derived-ids';
export { pixelNumbers, TABLE_PART, versionOfLabel } from './annotations/table-part';
export type { PlacedSource } from './annotations/placed-source';
export {
  FILE_ANNOTATIONS,
  filesToMerge,
  GROUND_TRUTH,
  mergedWith,
  NO_SHAPES,
  SOURCE_KINDS,
  sourceNamed,
  withSource,
  type AnnotationSource,
  type SegmentRecord,
  type ShapeCounts,
  type SourceKind,
} from './annotations/domain/annotation-state';
export { EvaluationFiles, evaluationKey } from './evaluations/evaluation-files';
export { OutcomeCache, type AskedEvaluations } from './evaluations/outcome-cache';
export { EvaluatedFileReader, type EvaluatedFile } from './evaluations/persistence/evaluated-file.reader';
export { tagsPersistence } from './tags/persistence/schema';
export { CarriedTags } from './tags/carried-tags';
export { TagAssignmentsCache } from './tags/tag-files';
export { TagFiles } from './tags/tag-files';
export { TagNames } from './tags/carried-tags';
export { TagRepository } from './tags/persistence/tag.repository';
export type { Tag } from './tags/domain/tag-lists';
export type { TagAssignments } from './tags/domain/tag-assignments';
export { assigned, cleared, unassigned, type TagChange, type TagLists } from './tags/domain/tag-lists';
