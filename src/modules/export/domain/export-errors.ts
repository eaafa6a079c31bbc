import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class ExportNotFoundError extends NotFoundError {
  constructor() {
    super('Export task not found');
  }
}

export class ExportOverError extends ConflictError {
  constructor() {
    super('The export is over and can no longer be cancelled');
  }
}

export class ForeignExportError extends ForbiddenError {
  constructor() {
    super('Only whoever started this export, or may change the dataset, can cancel it');
  }
}

/** Another table was published each time we were about to begin. */
export class DatasetChangedError extends ConflictError {
  constructor() {
    super('Others keep changing this dataset; try again');
  }
}
