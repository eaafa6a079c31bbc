import type {
  EncodedPicture,
  ModelOptions,
  PictureFindings,
  PictureModelType,
  RemotePictureModel,
  TokenCount,
  TextSide,
} from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import { inferRequest, KserveEndpoint, textRequest } from './kserve-endpoint';
import type { KserveSettings, KserveEncodingManifest } from './kserve-manifest';
import { checkedEmbedding } from '../servers/checked-findings';
import { embeddingTask, type KserveTask } from './tasks';

/** A model for pictures. */
export class KserveModel<Type extends PictureModelType> implements RemotePictureModel<Type> {
  readonly runsIn = 'service';
  /** The protocol reports no token counts. */
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

  /** Nothing to close: there is no state between requests. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A model that encodes pictures and texts. */
export class KserveEncoder extends KserveModel<'MULTIMODEL_IMAGE_ENCODING'> implements TextSide {
  private readonly texts: KserveEndpoint;

  constructor(
    private readonly modelServer: ModelServer,
    private readonly manifest: KserveEncodingManifest,
  ) {
    const { server: settings, outputs } = manifest;
    super(modelServer, settings, embeddingTask(outputs.embedding, outputs.dimension, modelServer));
    const { model = settings.model } = settings.texts;
    // The version of the model for pictures does not apply to the one for texts.
    const version = model === settings.model ? settings.version : undefined;
    this.texts = new KserveEndpoint(modelServer, { model, version });
  }

  embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { server: settings, outputs } = this.manifest;
    const { input, output = outputs.embedding } = settings.texts;
    const expected = { dimension: outputs.dimension, about: 'text' } as const;
    const embed = (text: string): Promise<Float32Array> =>
      this.texts.infer(
        'text',
        textRequest(settings, { name: input, text }, output),
        (tensors) => checkedEmbedding(tensors.numbers(output), expected, this.modelServer),
        signal,
      );
    return Promise.all(texts.map(embed));
  }
}
