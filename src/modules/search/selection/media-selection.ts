import type { SearchQuery } from '../domain/query/search-query';

export type SelectionItem =
  | { readonly kind: 'media'; readonly mediaIds: readonly string[] }
  | {
      readonly kind: 'cluster';
      readonly clusterId: string;
      /** What its members must match; undefined for all of them. */
      readonly query: SearchQuery | undefined;
      readonly excludedMediaIds: readonly string[];
    };

/** Everything that any of the items names. */
export type MediaSelection = readonly SelectionItem[];
