import { KeptModels } from './kept-models';
import { assertGives } from './model-error';
import type { ModelRegistry } from './model-registry';
import type { TextEmbedding } from './text-embedding';

const MOST_OPENED = 3;

/** Describes texts by the model that each is to be described by. Throws MissingModelError when there is no such text model. */
export class TextEmbeddings {
  private readonly opened: KeptModels<TextEmbedding>;

  constructor(private readonly models: ModelRegistry) {
    this.opened = new KeptModels((id) => models.getText(id).open(), MOST_OPENED);
  }

  /** Throws ChangedModelError when the model gives other numbers. */
  assertGives(modelId: string, numbers: number): void {
    assertGives(this.models.getText(modelId), numbers);
  }

  embed(modelId: string, texts: readonly string[]): Promise<(Float32Array | null)[]> {
    return this.opened.use(modelId, (embedding) => embedding.embed(texts));
  }
}
