import { z } from 'zod';
import { imageManifestFields, modelFile, multimodalManifestFields } from '../model-manifest';

/** Of models whose files have other names than the exporters give them, such as `model_quantized.onnx`. */
const file = modelFile.optional();

export const imageManifest = z.strictObject({
  ...imageManifestFields,
  files: z.strictObject({ model: file, vision_model: file }).prefault({}),
});

export const imageTextManifest = z.strictObject({
  ...multimodalManifestFields,
  files: z.strictObject({ model: file, vision_model: file, text_model: file }).prefault({}),
});
