import type { SearchQuery } from '../domain/query/search-query';

export type SelectionItem =
  | { readonly kind: 'media'; readonly mediaIds: readonly string[] }
  | {
      readonly kind: 'cluster';
      readonly clusterId: string;
      /** Filters for the members; undefined selects all of them. */
      readonly query: SearchQuery | undefined;
      readonly excludedMediaIds: readonly string[];
    };

/** The union of the items. */
export type MediaSelection = readonly SelectionItem[];
