import { z } from 'zod';
import { detectionManifestFields, modelDevice, modelFile } from '../model-manifest';

const side = z.int().min(32).max(2048);

export const ultralyticsManifest = z.strictObject({
  ...detectionManifestFields,
  files: z.strictObject({ model: modelFile }),
  device: modelDevice,
  /** Only for a file that takes pictures of any size; others say theirs. */
  preprocessing: z.strictObject({ width: side, height: side }).optional(),
  /** Less certain findings are left out. */
  threshold: z.number().min(0).max(1).default(0.25),
  /** Boxes of the same label that overlap by more than this part of their union count as one object. */
  iou: z.number().min(0).max(1).default(0.45),
  /** Instead of the names in the file's metadata. */
  labels: z.array(z.string().min(1).max(200)).min(1).max(10_000).optional(),
});

export type UltralyticsManifest = z.infer<typeof ultralyticsManifest>;
