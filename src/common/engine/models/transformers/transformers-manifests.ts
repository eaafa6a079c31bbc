import { z } from 'zod';
import {
  captionManifestFields,
  detectionManifestFields,
  imageManifestFields,
  modelDevice,
  modelFile,
  multimodalManifestFields,
  objectCaptionManifestFields,
  taggingManifestFields,
} from '../model-manifest';

/** Of models whose files have other names than the exporters give them, such as `model_quantized.onnx`. */
const file = modelFile.optional();
const local = { device: modelDevice };

export const imageManifest = z.strictObject({
  ...imageManifestFields,
  ...local,
  files: z.strictObject({ model: file, vision_model: file }).prefault({}),
});

export const imageTextManifest = z.strictObject({
  ...multimodalManifestFields,
  ...local,
  files: z.strictObject({ model: file, vision_model: file, text_model: file }).prefault({}),
});

const recognition = {
  ...local,
  files: z.strictObject({ model: file }).prefault({}),
  /** Less certain findings are left out. */
  threshold: z.number().min(0).max(1).default(0.5),
  /** The labels to look for, for a model that takes texts. Other models have labels of their own. */
  labels: z.array(z.string().min(1).max(200)).min(1).max(200).optional(),
};

export const captionManifest = z.strictObject({ ...captionManifestFields, ...local });
export const objectCaptionManifest = z.strictObject({ ...objectCaptionManifestFields, ...local });
export const taggingManifest = z.strictObject({ ...taggingManifestFields, ...recognition });
export const detectionManifest = z.strictObject({ ...detectionManifestFields, ...recognition });
