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

/** The model's folder is there, but it can't be opened or gives something else than it has to. */
export class BrokenModelError extends UnusableModelError {
  constructor(folder: string, error: ModelError) {
    // API callers see it, and need not know the paths of this machine.
    super(error.message.replaceAll(folder, basename(folder)), { cause: error });
  }
}

/** New media cannot be compared with the dataset until its model is back. */
export class MissingModelError extends UnusableModelError {
  constructor(id: string, known: readonly string[], reason?: string) {
    const why = reason === undefined ? '' : `: ${reason.endsWith('.') ? reason.slice(0, -1) : reason}`;
    super(
      `There is no model ${id} (available: ${known.join(', ')})${why}. Restore its folder in MODELS_DIR, or create the dataset again`,
    );
  }
}

const PREFIX = 'uploaded:';

/** The model of vectors that were uploaded. The folder of a model can't have such an id. */
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

/** Throws if the vectors of a dataset do not come from a model, so that no other picture can be compared with them. */
export function assertFromModel(modelId: string): void {
  if (modelId.startsWith(PREFIX)) throw new UploadedVectorsError(modelId);
}
