import { defineRuntime, type ModelRuntime } from '../model-runtime';
import { ModelServer } from '../servers/model-server';
import {
  captionDialogue,
  detectionDialogue,
  embeddingDialogue,
  taggingDialogue,
  CAPTION_PROMPT,
  OBJECT_CAPTION_PROMPT,
} from './dialogues';
import {
  captionManifest,
  detectionManifest,
  multimodalManifest,
  objectCaptionManifest,
  taggingManifest,
} from './openai-manifest';
import { OpenAiEncoder, OpenAiModel } from './openai-model';

const shared = { name: 'openai', runsIn: 'service' } as const;

/** Servers with OpenAI's HTTP API, such as vLLM, Ollama, TGI and LiteLLM. */
export const OPENAI_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...shared,
    type: 'CAPTION_IMAGES',
    manifest: captionManifest,
    open: async (model) =>
      new OpenAiModel<'CAPTION_IMAGES'>(
        await ModelServer.open(model),
        captionDialogue(model.manifest.server, CAPTION_PROMPT),
      ),
  }),
  defineRuntime({
    ...shared,
    type: 'CAPTION_OBJECTS',
    manifest: objectCaptionManifest,
    open: async (model) =>
      new OpenAiModel<'CAPTION_OBJECTS'>(
        await ModelServer.open(model),
        captionDialogue(model.manifest.server, OBJECT_CAPTION_PROMPT),
      ),
  }),
  defineRuntime({
    ...shared,
    type: 'IMAGE_TAGGING',
    manifest: taggingManifest,
    open: async (model) => new OpenAiModel(await ModelServer.open(model), taggingDialogue(model.manifest.server)),
  }),
  defineRuntime({
    ...shared,
    type: 'OBJECT_DETECTION',
    manifest: detectionManifest,
    open: async (model) => new OpenAiModel(await ModelServer.open(model), detectionDialogue(model.manifest.server)),
  }),
  defineRuntime({
    ...shared,
    type: 'MULTIMODEL_IMAGE_ENCODING',
    manifest: multimodalManifest,
    async open(model) {
      const server = await ModelServer.open(model);
      const { outputs, server: settings } = model.manifest;
      return new OpenAiEncoder(server, embeddingDialogue(settings, outputs.dimension, server));
    },
  }),
];
