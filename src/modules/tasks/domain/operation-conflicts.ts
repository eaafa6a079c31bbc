import { ConflictError } from '../../../common/platform/errors/domain-error';
import type { TaskType } from './task';

const OPERATIONS = [
  'add_media',
  'reindex',
  'sync',
  'enrich_dataset',
  'annotate',
  'remove_media',
  'copy_dataset',
  'upload_embeddings',
  'snapshot',
  'snapshot_restore',
  'snapshot_clone',
  'delete_dataset',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A clone reads an immutable snapshot, so changes don't block it. */
const CHANGES = OPERATIONS.filter((operation) => operation !== 'snapshot_clone');

/** The operations on a dataset that are blocked while a task of a type is running. */
const BLOCKS: Readonly<Record<TaskType, readonly Operation[]>> = {
  DATASET_CREATION: OPERATIONS,
  MEDIA_ADDITION: CHANGES,
  REINDEX: CHANGES,
  ENRICHMENT: CHANGES,
  CUSTOM_METADATA: CHANGES,
  ANNOTATION: CHANGES,
  MEDIA_REMOVAL: CHANGES,
  DATASET_COPY: CHANGES,
  EMBEDDINGS: CHANGES,
  SNAPSHOT_RESTORE: CHANGES,
  SNAPSHOT_CLONE: OPERATIONS.filter((operation) => operation !== 'snapshot'),
  // An export reads an immutable version, but the dataset must still exist.
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
