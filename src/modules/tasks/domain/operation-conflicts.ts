import { ConflictError } from '../../../common/http/domain-error';
import type { TaskType } from './task';

export type Operation =
  'add_media' | 'reindex' | 'sync' | 'snapshot' | 'snapshot_restore' | 'snapshot_clone' | 'delete_dataset';

const EVERY_TASK: readonly TaskType[] = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
];

/** Which running tasks of a dataset stand in the way of an operation on it. */
const BLOCKED_BY: Readonly<Record<Operation, readonly TaskType[]>> = {
  add_media: EVERY_TASK,
  reindex: EVERY_TASK,
  sync: EVERY_TASK,
  snapshot: EVERY_TASK.filter((type) => type !== 'SNAPSHOT_CLONE'),
  snapshot_restore: EVERY_TASK,
  // A clone reads what can't change; only a dataset that is itself not there yet can't be cloned.
  snapshot_clone: ['DATASET_CREATION', 'SNAPSHOT_CLONE'],
  // An export reads what can't change, but not of a dataset that is gone.
  delete_dataset: [...EVERY_TASK, 'EXPORT'],
};

export class OperationBlockedError extends ConflictError {
  constructor(operation: Operation, running: TaskType) {
    super(`Operation '${operation}' is blocked while ${running} task is running`);
  }
}

export function assertNotBlocked(operation: Operation, running: readonly TaskType[]): void {
  const blocker = running.find((type) => BLOCKED_BY[operation].includes(type));
  if (blocker !== undefined) throw new OperationBlockedError(operation, blocker);
}
