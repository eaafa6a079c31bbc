import { assertGives, BrokenModelError, ModelError } from './model-error';
import type { TextModelManifest } from './model-manifest';
import type { ModelRegistry } from './model-registry';
import type { TextModel } from './model-runtime';

interface Closable {
  close(): Promise<void>;
}

interface Kept<Opened> {
  readonly opening: Promise<Opened>;
  users: number;
}

interface Identified {
  readonly manifest: { readonly id: string };
}

/** An LRU cache of open models, opened on first use. A changed manifest makes a different model. */
export class KeptModels<Model extends Identified, Opened extends Closable> {
  private readonly kept = new Map<Model, Kept<Opened>>();

  constructor(
    private readonly open: (model: Model) => Promise<Opened>,
    private readonly most: number,
  ) {}

  async use<Result>(of: Model, work: (opened: Opened) => Promise<Result>): Promise<Result> {
    const model = this.take(of);
    model.users += 1;
    try {
      return await work(await model.opening);
    } finally {
      model.users -= 1;
      await this.closeOld();
    }
  }

  /** Closes all; none may be in use. */
  async close(): Promise<void> {
    const all = [...this.kept.values()];
    this.kept.clear();
    for (const { opening } of all) await (await opening).close();
  }

  private take(of: Model): Kept<Opened> {
    const known = this.kept.get(of);
    const model = known ?? { opening: this.open(of), users: 0 };
    // Moves it to the most recently used position.
    this.kept.delete(of);
    this.kept.set(of, model);
    if (known === undefined) model.opening.catch(() => this.kept.delete(of));
    return model;
  }

  private async closeOld(): Promise<void> {
    const latest = new Map([...this.kept.keys()].map((model) => [model.manifest.id, model]));
    for (const [model, { opening, users }] of this.kept) {
      const isReplaced = latest.get(model.manifest.id) !== model;
      if (users > 0 || (this.kept.size <= this.most && !isReplaced)) continue;
      this.kept.delete(model);
      await (await opening).close();
    }
  }
}

const MAX_OPEN_MODELS = 3;

/** Embeds texts with the model given for each. Throws MissingModelError or BrokenModelError if that model can't be used. */
export class TextEmbeddings {
  private readonly opened = new KeptModels((model: TextModel) => model.open(), MAX_OPEN_MODELS);

  constructor(private readonly models: ModelRegistry) {}

  /** Throws ChangedModelError if the model returns vectors of another dimension. */
  assertGives(modelId: string, numbers: number): void {
    assertGives(this.models.get('TEXT_ENCODING', modelId), numbers);
  }

  /** The cosines that count as similarity 0 and 1; undefined if the model's cosines are similarities. */
  calibrationOf(modelId: string): TextModelManifest['calibration'] {
    return this.models.get('TEXT_ENCODING', modelId).manifest.calibration;
  }

  async embed(modelId: string, texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const model = this.models.get('TEXT_ENCODING', modelId);
    try {
      return await this.opened.use(model, (embedding) => embedding.embed(texts));
    } catch (error) {
      throw error instanceof ModelError ? new BrokenModelError(model.folder, error) : error;
    }
  }

  /** Closes all models; none may be in use. */
  close(): Promise<void> {
    return this.opened.close();
  }
}
