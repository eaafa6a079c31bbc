import { BadRequestError, ConflictError } from '../../../common/platform/errors/domain-error';

export class NothingChosenError extends BadRequestError {
  constructor() {
    super('No media match what is chosen. Choose others.');
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
    super('All media of the dataset would go. Choose fewer, or delete the dataset.');
  }
}
