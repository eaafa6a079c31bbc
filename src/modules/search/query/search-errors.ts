import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';

export class ClusterNotFoundError extends NotFoundError {
  constructor() {
    super('Cluster not found');
  }
}

export class MediaNotFoundError extends NotFoundError {
  constructor() {
    super('Media not found');
  }
}

export class NoTextEmbeddingError extends ConflictError {
  constructor() {
    super(
      'The dataset has no embedding that text can be compared with. Import captions, or enrich it with CAPTION_IMAGES or MULTIMODEL_IMAGE_ENCODING.',
    );
  }
}

/** A filter is about a field that the dataset does not have, or does not fit its type. */
export class MetadataFilterError extends ValidationFailedError {
  constructor(reason: string, field: string) {
    super([{ type: 'value_error', loc: ['vql', 'metadata'], msg: reason, input: field }]);
    this.message = reason;
  }
}
