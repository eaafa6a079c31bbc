import { ConflictError, BadRequestError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { type TaskType, RETRYABLE, type TaskStatus } from './task';

export class TaskNotFoundError extends NotFoundError {
  constructor() {
    super('Task not found');
  }
}

/** Internal: tells a job that its task now belongs to another job. */
export class TaskTakenError extends Error {
  constructor(id: string) {
    super(`Task ${id} has ended or belongs to another job`);
  }
}

export class TaskNotAbortableError extends ConflictError {
  constructor(type: TaskType, status: TaskStatus) {
    super(`A ${type} task that is ${status} can't be aborted`);
  }
}

const ALL_OF = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const ONE_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const ALTOGETHER = ALL_OF.format(
  Object.entries(RETRYABLE).map(([type, statuses]) => `${type} tasks that are ${ONE_OF.format(statuses)}`),
);

export class TaskNotRetryableError extends BadRequestError {
  constructor(type: TaskType, status: TaskStatus) {
    super(`Only ${ALTOGETHER} can be retried; this one is a ${type} task that is ${status}`);
  }
}

export class CopyGoneError extends ConflictError {
  constructor() {
    super('The copy that this task was making is deleted; start the operation again');
  }
}

export const OPERATIONS = [
  'add_media',
  'reindex',
  'sync',
  'enrich_dataset',
  'annotate',
  'import_annotations',
  'remove_media',
  'copy_dataset',
  'upload_embeddings',
  'snapshot',
  'snapshot_restore',
  'snapshot_clone',
  'delete_dataset',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** They neither change media nor need that those of a dataset stay. */
const BESIDE_MEDIA: readonly Operation[] = ['import_annotations', 'snapshot', 'snapshot_clone'];

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
  ANNOTATION_IMPORT: OPERATIONS.filter((operation) => !BESIDE_MEDIA.includes(operation)),
  MEDIA_REMOVAL: CHANGES,
  DATASET_COPY: CHANGES,
  EMBEDDINGS: CHANGES,
  SNAPSHOT_RESTORE: CHANGES,
  SNAPSHOT_CLONE: OPERATIONS.filter((operation) => operation !== 'snapshot'),
  // They read an immutable version, but the dataset must still exist.
  EXPORT: ['delete_dataset'],
  EVALUATION: ['delete_dataset'],
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
