// A second entry point, for modules that answer searches of their own.
export { loadBatches, type RowBatches } from './batches-loader';
export { DATASET_POINTER_READER, type DatasetPointerReader } from './dataset-pointer';
export { clusterId, parseClusterId } from './domain/cluster-id';
export { folderOf } from './domain/folder-index';
export { orderBySize } from './domain/order-by-size';
export type { SearchQuery } from './domain/query/search-query';
export type { Preview } from './found-clusters';
export { presentPreview, rowsShown } from './http/preview.presenter';
export { groupDoubt, previewExample, previewSchema } from './http/search-result.schema';
export {
  jsonOf,
  rejectRepeated,
  searchBodyFields,
  searchParameterFields,
  toSearchQuery,
} from './http/search-parameters';
export { bytesFor, type ExploreMemory } from './memory-shares';
export type { OpenedVersion } from './opened-version';
export { readPreviews } from './read-previews';
export { SearchEngine } from './search-engine';
export { findOrdinals } from './selection/find-ordinals';
export { AssignmentChanges } from './tags/assignment-changes';
export { assertTaggable } from './tags/assert-taggable';
export type { TagAssignments } from './tags/domain/tag-assignments';
export { assigned, unassigned, type TagChange, type TagLists } from './tags/domain/tag-lists';
export { NameTagUseCase } from './tags/name-tag.use-case';
export { TagReader } from './tags/tag.reader';
export { LEAST_SIMILARITY, NOT_KEPT } from './duplicates/domain/kept-similarity';
export { VersionOpener } from './version-opener';
