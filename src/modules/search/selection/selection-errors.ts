import { BadRequestError, NotFoundError } from '../../../common/platform/errors/domain-error';
import type { SearchQuery } from '../query/domain/search-query';

export interface MediaItem {
  readonly kind: 'media';
  readonly mediaIds: readonly string[];
}

export interface ClusterItem {
  readonly kind: 'cluster';
  readonly clusterId: string;
  /** Filters for the members; clusters with the same filters share one object. Undefined selects all members. */
  readonly query: SearchQuery | undefined;
  readonly excludedMediaIds: readonly string[];
}

export type SelectionItem = MediaItem | ClusterItem;

/** The union of the items. */
export type MediaSelection = readonly SelectionItem[];

export class EmptySelectionError extends BadRequestError {
  constructor() {
    super('The selection names no media and no cluster');
  }
}

export class SelectedMediaNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Media ${id} not found`);
  }
}

export class SelectedClusterNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Cluster ${id} not found`);
  }
}

export class TooManySimilaritiesError extends BadRequestError {
  constructor(similarities: number, most: number) {
    super(
      `The selection names groups of near duplicates at ${similarities} similarities: name those of at most ${most}`,
    );
  }
}
