import type { Filter } from './filter';
import type { SearchQuery } from './search-query';

/** A field of people, by its name. */
export type FieldFacetName = `field:${string}`;

/** A list of values with counts, of which a search may name several, or the range of a field. */
export type Facet = 'labels' | 'tags' | 'issues' | 'mediaTypes' | 'folders' | FieldFacetName;

export const facetOfField = (field: string): FieldFacetName => `field:${field}`;

/** The facet of a filter that accepts any of several values or a range, so that a further value or a wider range widens the result. */
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
    case 'metadata':
      return filter.op === 'contains' ? undefined : facetOfField(filter.field);
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

/** The filters of each field, and those without a field. */
export function fieldFilters(filters: readonly Filter[]): {
  readonly byField: ReadonlyMap<FieldFacetName, readonly Filter[]>;
  readonly others: readonly Filter[];
} {
  const isOfField = (facet: Facet | undefined): facet is FieldFacetName => facet?.startsWith('field:') === true;
  const byField = new Map<FieldFacetName, Filter[]>();
  const others: Filter[] = [];
  for (const filter of filters) {
    const facet = facetOf(filter);
    if (!isOfField(facet)) others.push(filter);
    else byField.set(facet, [...(byField.get(facet) ?? []), filter]);
  }
  return { byField, others };
}
