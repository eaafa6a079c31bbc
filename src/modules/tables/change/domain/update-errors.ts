import { BadRequestError, ForbiddenError } from '../../../../common/platform/errors/domain-error';

export class AddMediaDisabledError extends ForbiddenError {
  constructor() {
    super('Add media feature is not enabled');
  }
}

export class NeverIndexedError extends BadRequestError {
  constructor(datasetId: string) {
    super(`Dataset ${datasetId} has no embedding_config - index the dataset first`);
  }
}
