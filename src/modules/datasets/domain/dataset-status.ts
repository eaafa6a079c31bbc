import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class DatasetNotFoundError extends NotFoundError {
  constructor() {
    super('Dataset not found');
  }
}

export class DatasetDeletionDisabledError extends ForbiddenError {
  constructor() {
    super('Delete dataset feature is not enabled');
  }
}

export class DatasetStatusError extends ConflictError {
  constructor(operation: string, status: DatasetStatus, allowed: readonly DatasetStatus[]) {
    super(`Operation '${operation}' needs a dataset that is ${allowed.join(' or ')}; this one is ${status}`);
  }
}

export const DATASET_STATUSES = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** Events that change the status of a dataset. */
export type DatasetEvent =
  | 'indexing-started'
  | 'indexing-completed'
  | 'indexing-failed'
  | 'indexing-aborted'
  | 'indexing-retried'
  | 'addition-started'
  | 'addition-completed'
  | 'reindex-started'
  | 'clustering-started'
  | 'enrichment-started'
  | 'enrichment-completed'
  | 'removal-started'
  | 'removal-completed'
  | 'annotation-started'
  | 'annotation-completed'
  | 'embeddings-started'
  | 'embeddings-completed'
  | 'restore-started'
  | 'restore-completed'
  | 'returned-to-ready'
  | 'returned-to-partial-index'
  | 'returned-to-error';

interface Transition {
  readonly from: readonly DatasetStatus[];
  readonly to: DatasetStatus;
}

/** The transitions of the specification; nothing else decides `status_new`. */
export const TRANSITIONS: Readonly<Record<DatasetEvent, Transition>> = {
  'indexing-started': { from: ['DRAFT'], to: 'INDEXING' },
  'indexing-completed': { from: ['INDEXING'], to: 'READY' },
  'indexing-failed': { from: ['INDEXING'], to: 'ERROR' },
  'indexing-aborted': { from: ['INDEXING'], to: 'DRAFT' },
  'indexing-retried': { from: ['ERROR', 'DRAFT'], to: 'INDEXING' },
  'addition-started': { from: ['READY', 'PARTIAL INDEX'], to: 'READ ONLY' },
  'addition-completed': { from: ['READ ONLY'], to: 'PARTIAL INDEX' },
  'reindex-started': { from: ['PARTIAL INDEX'], to: 'READ ONLY' },
  'clustering-started': { from: ['READ ONLY'], to: 'INDEXING' },
  'enrichment-started': { from: ['READY'], to: 'READ ONLY' },
  'enrichment-completed': { from: ['READ ONLY'], to: 'READY' },
  'removal-started': { from: ['READY'], to: 'READ ONLY' },
  'removal-completed': { from: ['READ ONLY'], to: 'READY' },
  'annotation-started': { from: ['READY'], to: 'READ ONLY' },
  'annotation-completed': { from: ['READ ONLY'], to: 'READY' },
  'embeddings-started': { from: ['READY'], to: 'READ ONLY' },
  'embeddings-completed': { from: ['READ ONLY'], to: 'READY' },
  'restore-started': { from: ['READY', 'PARTIAL INDEX', 'ERROR'], to: 'READ ONLY' },
  'restore-completed': { from: ['READ ONLY'], to: 'READY' },
  // A started operation failed: back to the previous status.
  'returned-to-ready': { from: ['READ ONLY', 'INDEXING'], to: 'READY' },
  'returned-to-partial-index': { from: ['READ ONLY', 'INDEXING'], to: 'PARTIAL INDEX' },
  'returned-to-error': { from: ['READ ONLY'], to: 'ERROR' },
};

/** The event that returns a dataset to the status before an operation. */
export function returnTo(status: DatasetStatus): DatasetEvent {
  switch (status) {
    case 'READY':
      return 'returned-to-ready';
    case 'PARTIAL INDEX':
      return 'returned-to-partial-index';
    case 'ERROR':
      return 'returned-to-error';
    default:
      throw new Error(`No operation begins in a dataset that is ${status}`);
  }
}

export class ForbiddenTransitionError extends Error {
  constructor(event: DatasetEvent, from: DatasetStatus) {
    super(`A dataset that is ${from} can't have '${event}'`);
  }
}

export function nextStatus(from: DatasetStatus, event: DatasetEvent): DatasetStatus {
  const transition = TRANSITIONS[event];
  if (!transition.from.includes(from)) throw new ForbiddenTransitionError(event, from);
  return transition.to;
}

/** The spelling that tasks use. */
export const underscored = (status: DatasetStatus): string => status.replaceAll(' ', '_');

/** The deprecated `status` field has the values of `status_new` with underscores, except for datasets that are changing. */
export const legacyStatus = (status: DatasetStatus): string =>
  status === 'READ ONLY' ? 'UPDATING' : underscored(status);
