import {
  PictureRefusedError,
  type EncodedPicture,
  type ModelOptions,
  type PictureFindings,
  type PictureModelType,
  type RemotePictureModel,
  type TokenCount,
} from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import { inferRequest } from './infer-request';
import type { KserveSettings } from './kserve-manifest';
import { Tensors } from './tensors';

/** What a model of one type sends and requests, and how it reads the outputs. */
export interface KserveTask<Type extends PictureModelType> {
  readonly outputs: readonly string[];
  /** The text that is sent with the picture. */
  text?(options: ModelOptions): { readonly name: string; readonly text: string } | undefined;
  /** Throws UnreadableAnswerError or PictureRefusedError. */
  read(tensors: Tensors, picture: EncodedPicture): PictureFindings[Type];
}

/** A model at a server with the KServe v2 protocol over HTTP. */
export class KserveModel<Type extends PictureModelType> implements RemotePictureModel<Type> {
  readonly runsIn = 'service';
  /** The protocol counts none. */
  readonly tokens: TokenCount = { prompt: 0, completion: 0 };
  private isReady = false;

  constructor(
    private readonly server: ModelServer,
    private readonly settings: KserveSettings,
    private readonly task: KserveTask<Type>,
  ) {}

  get longestSide(): number {
    return this.settings.longestSide;
  }

  get atOnce(): number {
    return this.settings.atOnce;
  }

  async apply(picture: EncodedPicture, options: ModelOptions, signal: AbortSignal): Promise<PictureFindings[Type]> {
    // Some servers answer an inference by an unknown model with 400, as they do for a picture that they refuse.
    if (!this.isReady) await this.assertReady(signal);
    const { outputs } = this.task;
    const request = inferRequest(this.settings, picture.jpeg, outputs, this.task.text?.(options));
    try {
      return await this.server.ask(
        { method: 'POST', path: `${this.path}/infer`, ...request, isAboutPicture: true },
        (body) => this.task.read(Tensors.parse(body), picture),
        signal,
      );
    } catch (error) {
      this.isReady &&= error instanceof PictureRefusedError;
      throw error;
    }
  }

  /** Nothing is held between requests. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private get path(): string {
    const { model, version } = this.settings;
    const ofVersion = version === undefined ? '' : `/versions/${encodeURIComponent(version)}`;
    return `v2/models/${encodeURIComponent(model)}${ofVersion}`;
  }

  private async assertReady(signal: AbortSignal): Promise<void> {
    const request = { method: 'GET', path: `${this.path}/ready`, isAboutPicture: false } as const;
    await this.server.ask(request, () => undefined, signal);
    this.isReady = true;
  }
}
