export const DATASET_STATUSES = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** What happens to a dataset, as far as its status is concerned. */
export type DatasetEvent =
  'indexing-started' | 'indexing-completed' | 'indexing-failed' | 'indexing-aborted' | 'indexing-retried';

interface Transition {
  readonly from: readonly DatasetStatus[];
  readonly to: DatasetStatus;
}

/** The specification's transitions; the only place that decides a `status_new`. */
export const TRANSITIONS: Readonly<Record<DatasetEvent, Transition>> = {
  'indexing-started': { from: ['DRAFT'], to: 'INDEXING' },
  'indexing-completed': { from: ['INDEXING'], to: 'READY' },
  'indexing-failed': { from: ['INDEXING'], to: 'ERROR' },
  'indexing-aborted': { from: ['INDEXING'], to: 'DRAFT' },
  'indexing-retried': { from: ['ERROR', 'DRAFT'], to: 'INDEXING' },
};

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

/** The retiring `status` field mirrors `status_new` with underscores. */
export const legacyStatus = (status: DatasetStatus): string => status.replaceAll(' ', '_');
