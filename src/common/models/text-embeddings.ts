import { HashedWords } from './hashed-words';
import { DEFAULT_TEXT_MODEL, type ModelRegistry } from './model-registry';
import type { TextEmbedding } from './text-embedding';

/** Text models by name, each opened at its first use and then kept. */
export class TextEmbeddings {
  private readonly opened = new Map<string, TextEmbedding>();

  constructor(private readonly models: ModelRegistry) {}

  /** The one that describes the captions of new tables. */
  get default(): TextEmbedding {
    return this.get(DEFAULT_TEXT_MODEL);
  }

  /** Throws ModelError when there is no such text model. */
  get(id: string): TextEmbedding {
    let embedding = this.opened.get(id);
    if (embedding === undefined) {
      embedding = new HashedWords(this.models.getText(id));
      this.opened.set(id, embedding);
    }
    return embedding;
  }
}
