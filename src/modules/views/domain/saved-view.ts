import type { MatchCounts, SavedSearch } from '../../search';
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';

export class ViewNotFoundError extends NotFoundError {
  constructor() {
    super('View not found');
  }
}

export class ViewNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`A view named '${name}' already exists in this dataset`);
  }
}

export class MonitoringNotEnabledError extends BadRequestError {
  constructor() {
    super('Monitoring is not enabled for this view');
  }
}

export class ForeignViewError extends ForbiddenError {
  constructor() {
    super('Only the creator of a view and users who may change the dataset can do this');
  }
}

export class ViewNotReadableError extends ConflictError {
  constructor(reason: string) {
    super(`This view can't be evaluated: ${reason}`);
  }
}

export class TooManyOwnViewsError extends ConflictError {
  constructor(most: number) {
    super(`You have ${most} saved views in this dataset, which is the limit for one user. Delete one first.`);
  }
}

export class TooManyViewsError extends ConflictError {
  constructor(most: number) {
    super(`This dataset has ${most} saved views, which is the limit. Delete one first.`);
  }
}

export interface ViewCreator {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

/** All -1 until the first batch is evaluated. */
export interface ViewStats {
  readonly images: number;
  readonly objects: number;
  readonly frames: number;
}

export interface SavedView {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly createdBy: ViewCreator;
  readonly search: SavedSearch;
  readonly stats: ViewStats;
  readonly monitoringEnabled: boolean;
  readonly alertingEnabled: boolean;
  readonly totalResults: number;
  readonly lastResults: Date | null;
  /** Why the newest batch could not be evaluated. */
  readonly evaluationError: string | null;
}

export interface TrendPoint {
  readonly timestamp: Date;
  readonly batchId: string;
  readonly count: number;
  readonly cumulative: number;
}

export const NOT_EVALUATED: ViewStats = { images: -1, objects: -1, frames: -1 };

/** A new view is evaluated for later batches, with notifications on. */
export const newView = (
  view: Pick<SavedView, 'id' | 'datasetId' | 'name' | 'createdAt' | 'createdBy' | 'search'>,
): SavedView => ({
  ...view,
  stats: NOT_EVALUATED,
  monitoringEnabled: true,
  alertingEnabled: true,
  totalResults: 0,
  lastResults: null,
  evaluationError: null,
});

export const countOf = ({ images, objects, frames, videosWithoutFrames }: MatchCounts): number =>
  images + objects + frames + videosWithoutFrames;

/** The view with the matches of a batch added to its counts. */
export function withBatchCounts(view: SavedView, counts: MatchCounts, arrivedAt: Date): SavedView {
  const count = countOf(counts);
  const add = (before: number, more: number): number => Math.max(0, before) + more;
  const { stats, lastResults } = view;
  const isNewest = lastResults === null || arrivedAt > lastResults;
  return {
    ...view,
    stats: {
      images: add(stats.images, counts.images),
      objects: add(stats.objects, counts.objects),
      frames: add(stats.frames, counts.frames),
    },
    totalResults: view.totalResults + count,
    lastResults: count > 0 && isNewest ? arrivedAt : lastResults,
    evaluationError: null,
  };
}
