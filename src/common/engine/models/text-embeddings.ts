import { KeptModels } from './kept-models';
import { assertGives } from './model-error';
import type { ModelRegistry } from './model-registry';
import type { TextEmbedding } from './text-embedding';

const MAX_OPEN_MODELS = 3;

/** Embeds texts with the model given for each. Throws MissingModelError if there is no such text model. */
export class TextEmbeddings {
  private readonly opened: KeptModels<TextEmbedding>;

  constructor(private readonly models: ModelRegistry) {
    this.opened = new KeptModels((id) => models.get('TEXT_ENCODING', id).open(), MAX_OPEN_MODELS);
  }

  /** Throws ChangedModelError if the model returns vectors of another dimension. */
  assertGives(modelId: string, numbers: number): void {
    assertGives(this.models.get('TEXT_ENCODING', modelId), numbers);
  }

  embed(modelId: string, texts: readonly string[]): Promise<(Float32Array | null)[]> {
    return this.opened.use(modelId, (embedding) => embedding.embed(texts));
  }
}
