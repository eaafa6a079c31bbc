import { createRequire } from 'node:module';
import type { ModelDevice } from '../model-manifest';
import type { HuggingFaceFolder } from './hugging-face-folder';
import type { DetectorSettings, TaggerSettings } from './recognizers';

/** Loads libraries only when the first model is opened. */
const load = createRequire(__filename);

interface FolderManifest {
  readonly id: string;
  readonly device: ModelDevice;
  readonly files?: Readonly<Record<string, string | undefined>>;
}

interface FolderModel<Manifest = object> {
  readonly folder: string;
  readonly manifest: FolderManifest & Manifest;
}

interface EncoderManifest {
  readonly outputs: { readonly dimension: number };
}

/** Closes the sessions if the model is invalid. */
async function opened<Result>(
  { folder: path, manifest: { id, device, files } }: FolderModel,
  open: (folder: HuggingFaceFolder) => Promise<Result>,
): Promise<Result> {
  const { HuggingFaceFolder } = load('./hugging-face-folder') as typeof import('./hugging-face-folder');
  const folder = new HuggingFaceFolder(path, id, device, files);
  try {
    return await open(folder);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function openCaptioner(model: FolderModel) {
  return opened(model, (folder) => {
    const { TransformersCaptioner } = load('./transformers-captioner') as typeof import('./transformers-captioner');
    return TransformersCaptioner.open(folder);
  });
}

/** By type, a function that opens the model. */
export const TRANSFORMERS_OPENERS = {
  IMAGE_ENCODING: (model: FolderModel<EncoderManifest>) =>
    opened(model, (folder) => {
      const { TransformersImageEncoder } = load('./encoders') as typeof import('./encoders');
      return TransformersImageEncoder.open(folder, model.manifest.outputs.dimension);
    }),
  MULTIMODEL_IMAGE_ENCODING: (model: FolderModel<EncoderManifest>) =>
    opened(model, (folder) => {
      const { TransformersImageTextEncoder } = load('./encoders') as typeof import('./encoders');
      return TransformersImageTextEncoder.open(folder, model.manifest.outputs.dimension);
    }),
  CAPTION_IMAGES: openCaptioner,
  CAPTION_OBJECTS: openCaptioner,
  OBJECT_DETECTION: (model: FolderModel<DetectorSettings>) =>
    opened(model, (folder) => {
      const { TransformersDetector } = load('./recognizers') as typeof import('./recognizers');
      return TransformersDetector.open(folder, model.manifest);
    }),
  IMAGE_TAGGING: (model: FolderModel<TaggerSettings>) =>
    opened(model, (folder) => {
      const { TransformersTagger } = load('./recognizers') as typeof import('./recognizers');
      return TransformersTagger.open(folder, model.manifest);
    }),
};
