import { defineRuntime, type ModelRuntime } from '../model-runtime';
import { HuggingFaceFolder } from './hugging-face-folder';
import { TransformersImageEncoder } from './transformers-image-encoder';
import { TransformersImageTextEncoder } from './transformers-image-text-encoder';
import {
  captionManifest,
  detectionManifest,
  imageManifest,
  imageTextManifest,
  objectCaptionManifest,
  taggingManifest,
} from './transformers-manifests';
import { TransformersCaptioner } from './transformers-captioner';
import { TransformersTagger } from './transformers-tagger';
import { TransformersDetector } from './transformers-detector';

interface FolderModel {
  readonly folder: string;
  readonly manifest: { readonly id: string; readonly files?: Readonly<Record<string, string | undefined>> };
}

/** Closes what was opened if the model turns out to be wrong. */
async function opened<Result>(
  { folder: path, manifest: { id, files } }: FolderModel,
  open: (folder: HuggingFaceFolder) => Promise<Result>,
): Promise<Result> {
  const folder = new HuggingFaceFolder(path, id, files);
  try {
    return await open(folder);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

const common = { name: 'transformers', runsIn: 'child' } as const;

export const TRANSFORMERS_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...common,
    type: 'IMAGE_ENCODING',
    manifest: imageManifest,
    open: (model) => opened(model, (folder) => TransformersImageEncoder.open(folder, model.manifest.outputs.dimension)),
  }),
  defineRuntime({
    ...common,
    type: 'MULTIMODEL_IMAGE_ENCODING',
    manifest: imageTextManifest,
    open: (model) =>
      opened(model, (folder) => TransformersImageTextEncoder.open(folder, model.manifest.outputs.dimension)),
  }),
  defineRuntime({
    ...common,
    type: 'CAPTION_IMAGES',
    manifest: captionManifest,
    open: (model) => opened(model, (folder) => TransformersCaptioner.open(folder)),
  }),
  defineRuntime({
    ...common,
    type: 'CAPTION_OBJECTS',
    manifest: objectCaptionManifest,
    open: (model) => opened(model, (folder) => TransformersCaptioner.open(folder)),
  }),
  defineRuntime({
    ...common,
    type: 'OBJECT_DETECTION',
    manifest: detectionManifest,
    open: (model) => opened(model, (folder) => TransformersDetector.open(folder, model.manifest)),
  }),
  defineRuntime({
    ...common,
    type: 'IMAGE_TAGGING',
    manifest: taggingManifest,
    open: (model) => opened(model, (folder) => TransformersTagger.open(folder, model.manifest)),
  }),
];
