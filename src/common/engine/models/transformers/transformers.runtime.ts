import { defineRuntime, type ModelRuntime } from '../model-runtime';
import {
  captionManifest,
  detectionManifest,
  imageManifest,
  imageTextManifest,
  objectCaptionManifest,
  taggingManifest,
} from './transformers-manifests';
import { TRANSFORMERS_OPENERS } from './transformers.openers';

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
];
