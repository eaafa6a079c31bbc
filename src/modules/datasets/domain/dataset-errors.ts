import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';
import type { DatasetStatus } from './dataset-status';

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
