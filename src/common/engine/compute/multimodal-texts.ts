import { BoundedCache, ReadOnce } from '../../platform/cache/bounded-cache';
import { Turns } from '../../platform/concurrency/turns';
import { BadRequestError, ServiceBusyError } from '../../platform/errors/domain-error';
import { assertGives } from '../models/model-error';
import type { ModelRegistry } from '../models/model-registry';
import type { MultimodalModel } from '../models/model-runtime';
import { TextRefusedError, type TextSide } from '../models/picture-model';
import type { ComputePool } from './compute-pool';
import { ComputeUnavailableError } from './compute-models';

/** The first search after a pause includes the start of a child and the loading of the model. */
const TIME_LIMIT_MS = 20_000;
/** The number of concurrent texts per model in the children. */
const AT_ONCE = 4;
const CACHE_BYTES = 4 * 2 ** 20;
const RETRY_AFTER_SECONDS = 5;

const bytesOf = (vector: Float32Array): number => vector.byteLength + 1_000;

/** The cached state of a model, until its manifest changes. */
interface KeptTexts {
  readonly vectors: BoundedCache<Float32Array>;
  readonly turns: Turns;
  /** The text side of a model at a server. Enrichments open it separately, so that a long one does not delay searches. */
  readonly opened: ReadOnce<TextSide>;
}

/** The vectors of search texts, by models that encode pictures and texts. */
export class MultimodalTexts {
  private readonly kept = new WeakMap<MultimodalModel, KeptTexts>();

  constructor(
    private readonly models: Pick<ModelRegistry, 'find'>,
    private readonly pool: Pick<ComputePool, 'describeText'>,
    private readonly limitMs = TIME_LIMIT_MS,
  ) {}

  /** Throws MissingModelError, and ChangedModelError if the vectors of the model have another dimension. */
  async model(id: string, dimension: number): Promise<MultimodalModel> {
    const model = await this.models.find('MULTIMODEL_IMAGE_ENCODING', id);
    assertGives(model, dimension);
    return model;
  }

  /**
   * Returns a unit vector. Throws OutageError and ServiceBusyError if the model is temporarily unavailable, and BadRequestError if it refuses the text.
   * Searches for the same text share one request.
   */
  async embed(model: MultimodalModel, text: string): Promise<Float32Array> {
    const kept = this.keptOf(model);
    return kept.vectors.getOrLoad(text, () => this.compute(model, kept, text));
  }

  private async compute(model: MultimodalModel, kept: KeptTexts, text: string): Promise<Float32Array> {
    const signal = AbortSignal.timeout(this.limitMs);
    const expired = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    try {
      // The limit includes the wait for a turn.
      return await Promise.race([this.ask(model, kept, text, signal), expired]);
    } catch (error) {
      throw this.refusalOf(error, model, signal);
    }
  }

  private async ask(model: MultimodalModel, kept: KeptTexts, text: string, signal: AbortSignal): Promise<Float32Array> {
    if (model.runsIn === 'child')
      return kept.turns.run(false, async () => {
        signal.throwIfAborted();
        return this.pool.describeText({ modelId: model.manifest.id, text }, { signal });
      });
    const [vector] = await (await kept.opened.get()).embedTexts([text], signal);
    return vector!;
  }

  private refusalOf(error: unknown, { manifest: { id } }: MultimodalModel, signal: AbortSignal): unknown {
    if (signal.aborted)
      return new ServiceBusyError(
        `The model ${id} did not describe the text within ${this.limitMs / 1000} seconds. Try again`,
        RETRY_AFTER_SECONDS,
      );
    if (error instanceof TextRefusedError) return new BadRequestError(error.message);
    if (error instanceof ComputeUnavailableError) return new ServiceBusyError(error.message, RETRY_AFTER_SECONDS);
    return error;
  }

  private keptOf(model: MultimodalModel): KeptTexts {
    const known = this.kept.get(model);
    if (known !== undefined) return known;
    const kept = {
      vectors: new BoundedCache(CACHE_BYTES, bytesOf),
      turns: new Turns(AT_ONCE),
      opened: new ReadOnce(() => model.open()),
    };
    this.kept.set(model, kept);
    return kept;
  }
}
