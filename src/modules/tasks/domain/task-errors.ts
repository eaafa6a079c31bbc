import { BadRequestError, ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { RETRYABLE, type TaskStatus, type TaskType } from './task';

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
