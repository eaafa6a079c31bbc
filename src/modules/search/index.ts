export { anchorsPersistence } from './anchors/persistence';
export { tagsPersistence } from './tags/persistence';
export { BatchMatches, type MatchCounts, type MatchOutcome } from './batch-matches';
export { clusterId, type Clusterings } from './domain/cluster-id';
export type { DuplicateGroups, GroupDoubt } from './duplicates/duplicate-groups';
export { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
export type { SearchQuery } from './domain/query/search-query';
export { MEDIA_URLS, type MediaUrls } from './media-urls';
export { MOST_PAGES } from './http/search-parameters';
export { ExplorePages } from './http/explore-pages';
export {
  savedFilters,
  savedSearchParameters,
  queryOf,
  UnreadableSearchError,
  withinBatch,
  type SavedSearch,
} from './http/saved-search';
export { exploreResult } from './http/search-result.schema';
export { SearchModule } from './search.module';
export { MAX_SELECTION_BYTES, mediaSelection } from './selection/http/media-selection.schema';
export type { MediaSelection } from './selection/media-selection';
export { SelectionResolver } from './selection/selection-resolver';
export type { TagAssignments } from './tags/domain/tag-assignments';
export { TagAssignmentsCache } from './tags/tag-assignments-cache';
export { CarriedTags } from './tags/carried-tags';
export { TagNames } from './tags/tag-names';
