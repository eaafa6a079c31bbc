import { AskedThread } from '../../../platform/concurrency/asked-thread';
import type { TextEmbedding } from '../embedding';
import { ModelError } from '../model-error';
import type { ModelDevice } from '../model-manifest';

/** Sent to the thread when it starts. */
export interface SentenceModel {
  readonly folder: string;
  readonly manifest: {
    readonly id: string;
    readonly device: ModelDevice;
    readonly files: Readonly<Record<string, string | undefined>>;
    readonly outputs: { readonly dimension: number };
  };
}

export interface EncodeTexts {
  readonly job: number;
  readonly texts: readonly string[];
}

/** `refused` is the message of a ModelError. */
export type EncodedTexts = { readonly vectors: (Float32Array | null)[] } | { readonly refused: string };

/** A thread has to finish a request before it can end. */
const TEXTS_PER_REQUEST = 64;

/** A sentence encoder in a thread, because the runtime blocks its thread while it computes. */
export class ThreadedSentenceEncoder implements TextEmbedding {
  private thread: AskedThread | undefined;

  private constructor(private readonly model: SentenceModel) {}

  /** Throws ModelError if the model can't be used. */
  static async open(model: SentenceModel): Promise<ThreadedSentenceEncoder> {
    const encoder = new ThreadedSentenceEncoder(model);
    try {
      await encoder.ask([]);
      return encoder;
    } catch (error) {
      await encoder.close();
      throw error;
    }
  }

  get dimension(): number {
    return this.model.manifest.outputs.dimension;
  }

  async embed(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    for (let first = 0; first < texts.length; first += TEXTS_PER_REQUEST)
      vectors.push(...(await this.ask(texts.slice(first, first + TEXTS_PER_REQUEST))));
    return vectors;
  }

  async close(): Promise<void> {
    await this.thread?.end();
  }

  private async ask(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const encoded = await this.started().ask<EncodedTexts>((job) => ({ job, texts }) satisfies EncodeTexts);
    if ('refused' in encoded) throw new ModelError(encoded.refused);
    return encoded.vectors;
  }

  /** If the thread has ended, the next request starts another one. */
  private started(): AskedThread {
    return (this.thread ??= new AskedThread({
      folder: __dirname,
      name: 'sentence-encoder.thread',
      data: this.model,
      onEnd: () => (this.thread = undefined),
    }));
  }
}
