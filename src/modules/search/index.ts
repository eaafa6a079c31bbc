export { anchorsPersistence } from './anchors/persistence/schema';
export { SearchModule } from './search.module';

// Searches of other modules.
export { MediaNotFoundError, SORTS, type SearchQuery } from './query/domain/search-query';
export { ISSUE_NAMES } from './query/domain/filter';
export {
  searchBodyFields,
  searchParameterFields,
  searchParameters,
  toSearchQuery,
  MOST_PAGES,
} from './query/http/search-parameters';
export { SearchEngine } from './query/search-engine';
export { MAX_SELECTION_BYTES, mediaSelection } from './selection/http/media-selection.schema';
export type { MediaSelection } from './selection/selection-errors';
export { SelectionResolver } from './selection/selection-resolver';

// Saved searches.
export {
  BatchMatches,
  evaluationsOf,
  NOTHING_MATCHES,
  type MatchCounts,
  type MatchOutcome,
} from './query/batch-matches';
export { NoOutcomesError, unknownEvaluation, withCopiedEvaluations } from './query/domain/evaluation-filters';
export { ExplorePages } from './explore/http/explore.controller';
export {
  savedFilters,
  savedSearchParameters,
  searchOf,
  queryOf,
  UnreadableSearchError,
  withinBatch,
  type SavedSearch,
} from './query/http/saved-search';
export { exploreResult } from './explore/http/search-result.schema';

// Media as pages show them.
export { MEDIA_URLS, type MediaUrls } from './media/signed-media-urls';
export { presentPreview, rowsShown } from './media/http/preview.presenter';
export { groupDoubt, previewExample, previewSchema } from './explore/http/search-result.schema';
export type { Preview } from './explore/found-clusters';
export { readPreviews } from './media/read-previews';

export { clusterName } from './map/map-legend';

// Changes of tags.
export { AssignmentChanges } from './tags/assignment-changes';
export { assertTaggable } from './tags/domain/tag-errors';
export { NameTagUseCase } from './tags/name-tag.use-case';
