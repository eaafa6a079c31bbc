import { UnusableModelError } from './model-error';

const PREFIX = 'uploaded:';

/** The model of vectors that were uploaded. The folder of a model can't have such an id. */
export const uploadedModelId = (id: string): string => `${PREFIX}${id}`;

export class UploadedVectorsError extends UnusableModelError {
  constructor(modelId: string) {
    super(
      `The image vectors of this dataset were uploaded (${modelId.slice(PREFIX.length)}), and no model of this service describes other pictures by such vectors. Search by media of the dataset, or apply a model of IMAGE_ENCODING first`,
    );
  }
}

/** Throws if the vectors of a dataset do not come from a model, so that no other picture can be compared with them. */
export function assertFromModel(modelId: string): void {
  if (modelId.startsWith(PREFIX)) throw new UploadedVectorsError(modelId);
}
