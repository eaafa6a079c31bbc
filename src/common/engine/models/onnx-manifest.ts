import { z } from 'zod';
import { dimension, imageManifestFields, modelDevice, modelFile } from './model-manifest';

const preprocessing = z.strictObject({
  /** The name of the model's input. */
  input: z.string(),
  width: z.int().min(8).max(2048),
  height: z.int().min(8).max(2048),
  /** `fill` scales the whole picture to the size, ignoring proportions; `cover` crops its centre. */
  fit: z.enum(['fill', 'cover']),
  layout: z.enum(['NHWC', 'NCHW']),
  type: z.enum(['uint8', 'float32']),
  /** For float32 inputs, on channels of 0..1. */
  mean: z.tuple([z.number(), z.number(), z.number()]).default([0, 0, 0]),
  std: z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]).default([1, 1, 1]),
});

export const onnxManifest = z.strictObject({
  ...imageManifestFields,
  files: z.strictObject({ model: modelFile }),
  preprocessing,
  device: modelDevice,
  /** The name of the model's output with the vectors. */
  outputs: z.strictObject({ embedding: z.string(), dimension }),
});

export type OnnxManifest = z.infer<typeof onnxManifest>;
