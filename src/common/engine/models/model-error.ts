import { basename } from 'node:path';
import { StartError } from '../../platform/config/configuration-error';
import { UnrecoverableError } from '../../platform/outage/outage';
import type { ImageModel, MultimodalModel, TextModel } from './model-runtime';

/** A model exists but is invalid. */
export class ModelError extends StartError {}

/** The model of a dataset can no longer be used for it. */
export abstract class UnusableModelError extends UnrecoverableError {
  override readonly status = 409;
}

/** The folder of a model was replaced by another model of the same name. */
export class ChangedModelError extends UnusableModelError {
  constructor(id: string, numbers: number, ofDataset: number) {
    super(
      `The model ${id} returns vectors of ${numbers} numbers, but the dataset was created with ${ofDataset}. Restore the original model in MODELS_DIR, or create the dataset again`,
    );
  }
}

/** The folder of the model exists, but the model cannot be opened or returns invalid results. */
export class BrokenModelError extends UnusableModelError {
  constructor(folder: string, error: ModelError) {
    // API callers see the message, and should not see paths of this machine.
    super(error.message.replaceAll(folder, basename(folder)), { cause: error });
  }
}

/** New media cannot be compared with the dataset until its model is restored. */
export class MissingModelError extends UnusableModelError {
  constructor(id: string, known: readonly string[], reason?: string) {
    const why = reason === undefined ? '' : `: ${reason.endsWith('.') ? reason.slice(0, -1) : reason}`;
    super(
      `There is no model ${id} (available: ${known.join(', ')})${why}. Restore its folder in MODELS_DIR, or create the dataset again`,
    );
  }
}

const PREFIX = 'uploaded:';

/** The model id of uploaded vectors. The folder of a model cannot have such an id. */
export const uploadedModelId = (id: string): string => `${PREFIX}${id}`;

class UploadedVectorsError extends UnusableModelError {
  constructor(modelId: string) {
    super(
      `The image vectors of this dataset were uploaded (${modelId.slice(PREFIX.length)}), and no model of this service describes other pictures by such vectors. Search by media of the dataset, or apply a model of IMAGE_ENCODING first`,
    );
  }
}

/** Throws if the model's vectors do not have the dimension of the dataset's. */
export function assertGives(
  { manifest: { id, outputs } }: ImageModel | TextModel | MultimodalModel,
  numbers: number,
): void {
  if (outputs.dimension !== numbers) throw new ChangedModelError(id, outputs.dimension, numbers);
}

/** Throws if the vectors of a dataset do not come from a model, so that other pictures cannot be compared with them. */
export function assertFromModel(modelId: string): void {
  if (modelId.startsWith(PREFIX)) throw new UploadedVectorsError(modelId);
}
