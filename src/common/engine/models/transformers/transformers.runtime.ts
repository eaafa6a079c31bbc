import { z } from 'zod';
import { defineRuntime, type ModelRuntime } from '../model-runtime';
import { ThreadedSentenceEncoder } from './threaded-sentence-encoder';
import { TRANSFORMERS_OPENERS } from './transformers.openers';
import {
  captionManifestFields,
  detectionManifestFields,
  imageManifestFields,
  modelDevice,
  modelFile,
  multimodalManifestFields,
  objectCaptionManifestFields,
  taggingManifestFields,
  textManifestFields,
} from '../model-manifest';

/** For models whose files do not have the names of the exporters, such as `model_quantized.onnx`. */
const file = modelFile.optional();
const local = { device: modelDevice };

const imageManifest = z.strictObject({
  ...imageManifestFields,
  ...local,
  files: z.strictObject({ model: file, vision_model: file }).prefault({}),
});

const imageTextManifest = z.strictObject({
  ...multimodalManifestFields,
  ...local,
  files: z.strictObject({ model: file, vision_model: file, text_model: file }).prefault({}),
});

const textManifest = z.strictObject({
  ...textManifestFields,
  ...local,
  files: z.strictObject({ model: file }).prefault({}),
});

const recognition = {
  ...local,
  files: z.strictObject({ model: file }).prefault({}),
  /** Findings below this confidence are ignored. */
  threshold: z.number().min(0).max(1).default(0.5),
  /** The labels to look for, for a model with text input. Other models define their labels. */
  labels: z.array(z.string().min(1).max(200)).min(1).max(200).optional(),
};

const captionManifest = z.strictObject({ ...captionManifestFields, ...local });
const objectCaptionManifest = z.strictObject({ ...objectCaptionManifestFields, ...local });
const taggingManifest = z.strictObject({ ...taggingManifestFields, ...recognition });
const detectionManifest = z.strictObject({ ...detectionManifestFields, ...recognition });

const common = { name: 'transformers', runsIn: 'child' } as const;

export const TRANSFORMERS_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...common,
    type: 'IMAGE_ENCODING',
    manifest: imageManifest,
    open: TRANSFORMERS_OPENERS.IMAGE_ENCODING,
  }),
  defineRuntime({
    ...common,
    type: 'MULTIMODEL_IMAGE_ENCODING',
    manifest: imageTextManifest,
    open: TRANSFORMERS_OPENERS.MULTIMODEL_IMAGE_ENCODING,
  }),
  defineRuntime({
    ...common,
    type: 'CAPTION_IMAGES',
    manifest: captionManifest,
    open: TRANSFORMERS_OPENERS.CAPTION_IMAGES,
  }),
  defineRuntime({
    ...common,
    type: 'CAPTION_OBJECTS',
    manifest: objectCaptionManifest,
    open: TRANSFORMERS_OPENERS.CAPTION_OBJECTS,
  }),
  defineRuntime({
    ...common,
    type: 'OBJECT_DETECTION',
    manifest: detectionManifest,
    open: TRANSFORMERS_OPENERS.OBJECT_DETECTION,
  }),
  defineRuntime({
    ...common,
    type: 'IMAGE_TAGGING',
    manifest: taggingManifest,
    open: TRANSFORMERS_OPENERS.IMAGE_TAGGING,
  }),
  defineRuntime({
    type: 'TEXT_ENCODING',
    name: 'transformers',
    runsIn: 'service',
    manifest: textManifest,
    open: (model) => ThreadedSentenceEncoder.open(model),
  }),
];
