import { KeptModels } from '../kept-models';
import { assertGives, BrokenModelError, ModelError } from '../model-error';
import type { ModelRegistry } from '../model-registry';
import type { ImageModel } from '../model-runtime';
import { ClassTexts, type ClassText } from './class-texts';

const MAX_OPEN_MODELS = 3;

export interface DescribedByClasses extends ClassText {
  readonly calibration: { readonly unrelated: number; readonly matching: number };
}

/** Describes texts by image models that have a text side of their own. */
export class ImageModelTexts {
  private readonly opened = new KeptModels(openTexts, MAX_OPEN_MODELS);

  constructor(private readonly models: ModelRegistry) {}

  /** Whether texts can be compared with the vectors of the model, which may have been removed. */
  has(modelId: string): boolean {
    const isUsable = this.models.idsOf('IMAGE_ENCODING').includes(modelId);
    return isUsable && this.models.get('IMAGE_ENCODING', modelId).manifest.texts !== undefined;
  }

  /** Throws ChangedModelError if the model returns vectors of another dimension, and BrokenModelError if its files are invalid. */
  describe(modelId: string, numbers: number, text: string): Promise<DescribedByClasses> {
    const model = this.models.get('IMAGE_ENCODING', modelId);
    assertGives(model, numbers);
    return this.opened.use(model, (texts) =>
      Promise.resolve({ ...texts.describe(text), calibration: texts.calibration }),
    );
  }
}

async function openTexts({ folder, manifest }: ImageModel): Promise<ClassTexts> {
  try {
    return await ClassTexts.open(folder, manifest);
  } catch (error) {
    throw error instanceof ModelError ? new BrokenModelError(folder, error) : error;
  }
}
