import { BadRequestError, ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import type { TaskStatus, TaskType } from './task';

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

export class TaskNotRetryableError extends BadRequestError {
  constructor(type: TaskType, status: TaskStatus) {
    super(
      `Only a DATASET_CREATION task that is FAILED or ABORTED and an ENRICHMENT task that is FAILED can be retried; this one is a ${type} task that is ${status}`,
    );
  }
}

export class CopyGoneError extends ConflictError {
  constructor() {
    super('The copy that this task was making is deleted; start a new enrichment');
  }
}
