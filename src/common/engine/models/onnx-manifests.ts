import { z } from 'zod';
import {
  detectionManifestFields,
  dimension,
  imageManifestFields,
  imageTexts,
  modelDevice,
  modelFile,
  taggingManifestFields,
} from './model-manifest';

const side = z.int().min(32).max(2048);

export const ultralyticsManifest = z.strictObject({
  ...detectionManifestFields,
  files: z.strictObject({ model: modelFile }),
  device: modelDevice,
  /** Only for a file that accepts pictures of any size; others declare theirs. */
  preprocessing: z.strictObject({ width: side, height: side }).optional(),
  /** Findings below this confidence are ignored. */
  threshold: z.number().min(0).max(1).default(0.25),
  /** Boxes of the same label with a higher intersection over union count as one object. */
  iou: z.number().min(0).max(1).default(0.45),
  /** Replaces the names in the metadata of the file. */
  labels: z.array(z.string().min(1).max(200)).min(1).max(10_000).optional(),
});

export type UltralyticsManifest = z.infer<typeof ultralyticsManifest>;

const preprocessing = z.strictObject({
  /** The name of the model's input. */
  input: z.string(),
  width: z.int().min(8).max(2048),
  height: z.int().min(8).max(2048),
  /** `fill` scales the whole picture to the size, ignoring its aspect ratio; `cover` crops its centre. */
  fit: z.enum(['fill', 'cover']),
  layout: z.enum(['NHWC', 'NCHW']),
  type: z.enum(['uint8', 'float32']),
  /** For float32 inputs, on channels of 0..1. */
  mean: z.tuple([z.number(), z.number(), z.number()]).default([0, 0, 0]),
  std: z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]).default([1, 1, 1]),
});

/** Of ONNX Runtime. `all` also arranges data for convolutions, which takes large ones less time and small ones more. */
const optimisation = z.enum(['extended', 'all']).default('extended');

export const onnxManifest = z.strictObject({
  ...imageManifestFields,
  files: z.strictObject({ model: modelFile }),
  preprocessing,
  optimisation,
  device: modelDevice,
  /** The name of the model output with the vectors. */
  outputs: z.strictObject({ embedding: z.string(), dimension }),
  /** Makes the media searchable by text. */
  texts: imageTexts.optional(),
});

export type OnnxManifest = z.infer<typeof onnxManifest>;

export const onnxTaggerManifest = z.strictObject({
  ...taggingManifestFields,
  files: z.strictObject({
    model: modelFile,
    /** JSON: the label and the parents of each class. */
    labels: modelFile,
  }),
  preprocessing,
  optimisation,
  device: modelDevice,
  /** The name of the model output with a logit for each class. */
  outputs: z.strictObject({ logits: z.string() }),
  /** Whether the logits of a picture are first divided by their own standard deviation, which makes the model less sure of what it never learned. */
  standardise: z.boolean().default(false),
  /** Logits are divided by it, so that a confidence is the share of labels that are right. */
  temperature: z.number().positive().default(1),
  /** Labels below this confidence are ignored. */
  threshold: z.number().min(0).max(1).default(0.5),
  /** A picture without a sure label gets the narrowest parent whose classes together have this confidence. At least half, so that they lie above each other. */
  parentThreshold: z.number().min(0.5).max(1).optional(),
  /** The maximum number of labels of a picture. */
  most: z.int().min(1).max(100).default(5),
});

export type OnnxTaggerManifest = z.infer<typeof onnxTaggerManifest>;
