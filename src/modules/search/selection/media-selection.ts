import type { SearchQuery } from '../query/domain/search-query';

export interface MediaItem {
  readonly kind: 'media';
  readonly mediaIds: readonly string[];
}

export interface ClusterItem {
  readonly kind: 'cluster';
  readonly clusterId: string;
  /** Filters for the members, the same object for clusters with the same ones; undefined selects all members. */
  readonly query: SearchQuery | undefined;
  readonly excludedMediaIds: readonly string[];
}

export type SelectionItem = MediaItem | ClusterItem;

/** The union of the items. */
export type MediaSelection = readonly SelectionItem[];
