import type { Filter } from './filter';
import type { SearchQuery } from './search-query';

/** A list of values with counts, of which a search may name several. */
export type Facet = 'labels' | 'tags' | 'issues' | 'mediaTypes' | 'folders';

/** The facet of a filter that accepts any of several values, so that a further value widens the result. */
export function facetOf(filter: Filter): Facet | undefined {
  switch (filter.kind) {
    case 'labels':
    case 'tags':
    case 'folders':
      return filter.op === 'one_of' ? filter.kind : undefined;
    case 'unlabeled':
      return 'labels';
    case 'untagged':
      return 'tags';
    case 'issues':
      return 'issues';
    case 'mediaType':
      return 'mediaTypes';
    case 'or':
      return filter.filters.map(facetOf).reduce((one, other) => (one === other ? one : undefined));
    default:
      return undefined;
  }
}

/** The query itself if it has no filter of the facet. */
export function withoutFacet(query: SearchQuery, facet: Facet): SearchQuery {
  const filters = query.filters.filter((filter) => facetOf(filter) !== facet);
  return filters.length === query.filters.length ? query : { ...query, filters };
}
