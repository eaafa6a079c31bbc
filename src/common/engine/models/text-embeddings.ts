import { KeptModels } from './kept-models';
import { assertGives } from './model-error';
import type { ModelRegistry } from './model-registry';
import type { TextModel } from './model-runtime';

const MAX_OPEN_MODELS = 3;

/** Embeds texts with the model given for each. Throws MissingModelError if there is no such text model. */
export class TextEmbeddings {
  private readonly opened = new KeptModels((model: TextModel) => model.open(), MAX_OPEN_MODELS);

  constructor(private readonly models: ModelRegistry) {}

  /** Throws ChangedModelError if the model returns vectors of another dimension. */
  assertGives(modelId: string, numbers: number): void {
    assertGives(this.models.get('TEXT_ENCODING', modelId), numbers);
  }

  async embed(modelId: string, texts: readonly string[]): Promise<(Float32Array | null)[]> {
    return this.opened.use(this.models.get('TEXT_ENCODING', modelId), (embedding) => embedding.embed(texts));
  }
}
