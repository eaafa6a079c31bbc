import type { Quarantined } from '../../../../common/engine/compute/media-analysis';
import { BadRequestError, ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';
import { ANCHOR_ENTITY_TYPES } from './anchor';

export class AnchorNotFoundError extends NotFoundError {
  constructor() {
    super('Search anchor not found: it has expired or belongs to another dataset. Upload the image again.');
  }
}

/** Vectors of different models can't be compared. */
export class ModelMismatchError extends ConflictError {
  constructor(modelOfAnchor: string, modelOfDataset: string) {
    super(
      `The search image was embedded by the model ${modelOfAnchor}, the dataset by ${modelOfDataset}. Search with a media_id of the dataset, or upload the image again.`,
    );
  }
}

export class InvalidEntityTypeError extends BadRequestError {
  constructor() {
    super(`entity_type is required: one of ${ANCHOR_ENTITY_TYPES.join(', ')}`);
  }
}

export class NoQueryImageError extends BadRequestError {
  constructor() {
    super("No image was sent: it goes into the form field 'file'");
  }
}

export class InvalidRegionError extends BadRequestError {
  constructor() {
    super(
      'bounding_box is not valid: use a JSON object with x, y, width and height as fractions of the image (0 to 1), not empty and inside the image',
    );
  }
}

export class UnusableImageError extends BadRequestError {
  constructor({ reason, detail }: Quarantined) {
    super(`The image can't be searched with (${reason}): ${detail}`);
  }
}
