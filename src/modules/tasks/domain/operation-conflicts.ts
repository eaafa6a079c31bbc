import { ConflictError } from '../../../common/platform/errors/domain-error';
import type { TaskType } from './task';

const OPERATIONS = [
  'add_media',
  'reindex',
  'sync',
  'snapshot',
  'snapshot_restore',
  'snapshot_clone',
  'delete_dataset',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A clone reads what can't change. */
const CHANGES = OPERATIONS.filter((operation) => operation !== 'snapshot_clone');

/** Which operations on a dataset can't begin while a task of it runs. */
const BLOCKS: Readonly<Record<TaskType, readonly Operation[]>> = {
  DATASET_CREATION: OPERATIONS,
  MEDIA_ADDITION: CHANGES,
  REINDEX: CHANGES,
  ENRICHMENT: CHANGES,
  CUSTOM_METADATA: CHANGES,
  SNAPSHOT_RESTORE: CHANGES,
  SNAPSHOT_CLONE: OPERATIONS.filter((operation) => operation !== 'snapshot'),
  // It reads what can't change, but not of a dataset that is gone.
  EXPORT: ['delete_dataset'],
};

export class OperationBlockedError extends ConflictError {
  constructor(operation: Operation, running: TaskType) {
    super(`Operation '${operation}' is blocked while ${running} task is running`);
  }
}

export function assertNotBlocked(operation: Operation, running: readonly TaskType[]): void {
  const blocker = running.find((type) => BLOCKS[type].includes(operation));
  if (blocker !== undefined) throw new OperationBlockedError(operation, blocker);
}
