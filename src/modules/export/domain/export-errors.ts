import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class ExportNotFoundError extends NotFoundError {
  constructor() {
    super('Export task not found');
  }
}

export class ExportOverError extends ConflictError {
  constructor() {
    super('The export has ended and can no longer be cancelled');
  }
}

export class ForeignExportError extends ForbiddenError {
  constructor() {
    super('Only the user who started this export, and users who may change the dataset, can cancel it');
  }
}

/** Every attempt to start conflicted with another change. */
export class DatasetChangedError extends ConflictError {
  constructor() {
    super('The dataset is being changed by others. Try again.');
  }
}
