import { defineRuntime, type ModelRuntime } from '../model-runtime';
import { ModelServer } from '../servers/model-server';
import {
  captionManifest,
  detectionManifest,
  multimodalManifest,
  objectCaptionManifest,
  taggingManifest,
  type KserveDetectionManifest,
  type KserveTaggingManifest,
} from './kserve-manifest';
import { KserveEncoder, KserveModel } from './kserve-model';
import { readLabelFile, captionTask, detectionTask, taggingTask, LabelledScores } from './tasks';

const shared = { name: 'kserve', runsIn: 'service' } as const;

interface LabelledModel {
  readonly folder: string;
  readonly manifest: KserveTaggingManifest | KserveDetectionManifest;
}

async function openScores({ folder, manifest }: LabelledModel, server: ModelServer): Promise<LabelledScores> {
  const names = await readLabelFile(folder, manifest.files?.labels);
  return new LabelledScores(manifest.outputs, names, manifest.minConfidence, server);
}

/** Servers with the KServe v2 protocol over HTTP, such as Triton. */
export const KSERVE_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...shared,
    type: 'CAPTION_IMAGES',
    manifest: captionManifest,
    async open(model) {
      const { server, outputs } = model.manifest;
      return new KserveModel<'CAPTION_IMAGES'>(
        await ModelServer.open(model),
        server,
        captionTask(server, outputs.caption),
      );
    },
  }),
  defineRuntime({
    ...shared,
    type: 'CAPTION_OBJECTS',
    manifest: objectCaptionManifest,
    async open(model) {
      const { server, outputs } = model.manifest;
      return new KserveModel<'CAPTION_OBJECTS'>(
        await ModelServer.open(model),
        server,
        captionTask(server, outputs.caption),
      );
    },
  }),
  defineRuntime({
    ...shared,
    type: 'IMAGE_TAGGING',
    manifest: taggingManifest,
    async open(model) {
      const server = await ModelServer.open(model);
      return new KserveModel(server, model.manifest.server, taggingTask(await openScores(model, server)));
    },
  }),
  defineRuntime({
    ...shared,
    type: 'OBJECT_DETECTION',
    manifest: detectionManifest,
    async open(model) {
      const server = await ModelServer.open(model);
      const scores = await openScores(model, server);
      return new KserveModel(server, model.manifest.server, detectionTask(model.manifest, scores));
    },
  }),
  defineRuntime({
    ...shared,
    type: 'MULTIMODEL_IMAGE_ENCODING',
    manifest: multimodalManifest,
    open: async (model) => new KserveEncoder(await ModelServer.open(model), model.manifest),
  }),
];
