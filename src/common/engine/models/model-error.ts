import { StartError } from '../../platform/config/start-error';
import { UnrecoverableError } from '../../platform/outage/outage';
import type { Model } from './model-runtime';

/** A model that is there is wrong. */
export class ModelError extends StartError {}

/** The model that a dataset was described by can describe nothing more for it. */
export abstract class UnusableModelError extends UnrecoverableError {
  override readonly status = 409;
}

/** A model whose folder was replaced under the same name. */
export class ChangedModelError extends UnusableModelError {
  constructor(id: string, numbers: number, ofDataset: number) {
    super(
      `The model ${id} gives ${numbers} numbers, and the dataset was described with ${ofDataset}: put the model that it had back into MODELS_DIR and start the service again, or make the dataset anew`,
    );
  }
}

/** What was described by this model can't be compared with anything new until the model is back. */
export class MissingModelError extends UnusableModelError {
  constructor(id: string, known: readonly string[]) {
    super(
      `There is no model ${id} (there are ${known.join(', ')}): put its folder back into MODELS_DIR and start the service again, or make the dataset anew`,
    );
  }
}

/** What a model makes is compared with the vectors of a dataset, which have so many numbers. */
export function assertGives({ manifest: { id, output } }: Model, numbers: number): void {
  if (output.dimension !== numbers) throw new ChangedModelError(id, output.dimension, numbers);
}
