import { ConflictError, NotFoundError } from '../../common/platform/errors/domain-error';

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
