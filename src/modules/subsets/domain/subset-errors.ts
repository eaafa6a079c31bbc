import { BadRequestError, ConflictError } from '../../../common/platform/errors/domain-error';

export class NothingChosenError extends BadRequestError {
  constructor() {
    super('No media match the selection. Choose other media.');
  }
}

/** The tags changed whenever the rows were found. */
export class DatasetBusyError extends ConflictError {
  constructor() {
    super('The tags of this dataset are being changed by others. Try again.');
  }
}

export class EverythingGoesError extends BadRequestError {
  constructor() {
    super('This would remove all media of the dataset. Choose fewer, or delete the dataset.');
  }
}
