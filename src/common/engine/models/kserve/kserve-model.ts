import type {
  EncodedPicture,
  ModelOptions,
  PictureFindings,
  PictureModelType,
  RemotePictureModel,
  TokenCount,
} from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import { inferRequest } from './infer-request';
import { KserveEndpoint } from './kserve-endpoint';
import type { KserveSettings } from './kserve-manifest';
import type { Tensors } from './tensors';

/** The inputs and outputs of a model of one type, and how they are read. */
export interface KserveTask<Type extends PictureModelType> {
  readonly outputs: readonly string[];
  /** The text that is sent with the picture. */
  text?(options: ModelOptions): { readonly name: string; readonly text: string } | undefined;
  /** Throws UnreadableAnswerError or PictureRefusedError. */
  read(tensors: Tensors, picture: EncodedPicture): PictureFindings[Type];
}

/** A model that looks at pictures. */
export class KserveModel<Type extends PictureModelType> implements RemotePictureModel<Type> {
  readonly runsIn = 'service';
  /** The protocol counts none. */
  readonly tokens: TokenCount = { prompt: 0, completion: 0 };
  private readonly endpoint: KserveEndpoint;

  constructor(
    server: ModelServer,
    private readonly settings: KserveSettings,
    private readonly task: KserveTask<Type>,
  ) {
    this.endpoint = new KserveEndpoint(server, settings);
  }

  get longestSide(): number {
    return this.settings.longestSide;
  }

  get atOnce(): number {
    return this.settings.atOnce;
  }

  apply(picture: EncodedPicture, options: ModelOptions, signal: AbortSignal): Promise<PictureFindings[Type]> {
    const { outputs } = this.task;
    const request = inferRequest(this.settings, picture.jpeg, outputs, this.task.text?.(options));
    return this.endpoint.infer('picture', request, (tensors) => this.task.read(tensors, picture), signal);
  }

  /** Nothing is held between requests. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
