import type { TextSide } from '../picture-model';
import { checkedEmbedding } from '../servers/checked-findings';
import type { ModelServer } from '../servers/model-server';
import { textRequest } from './infer-request';
import { KserveEndpoint } from './kserve-endpoint';
import type { KserveEncodingManifest } from './kserve-manifest';
import { KserveModel } from './kserve-model';
import { embeddingTask } from './tasks';

/** A model that describes pictures and texts. */
export class KserveEncoder extends KserveModel<'MULTIMODEL_IMAGE_ENCODING'> implements TextSide {
  private readonly texts: KserveEndpoint;

  constructor(
    private readonly modelServer: ModelServer,
    private readonly manifest: KserveEncodingManifest,
  ) {
    const { server: settings, outputs } = manifest;
    super(modelServer, settings, embeddingTask(outputs.embedding, outputs.dimension, modelServer));
    const { model = settings.model } = settings.texts;
    // A version of the model for pictures says nothing about that for texts.
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
