import { z } from 'zod';
import { detectionManifestFields, modelDevice, modelFile } from '../model-manifest';

export const centerNetManifest = z.strictObject({
  ...detectionManifestFields,
  files: z.strictObject({ model: modelFile }),
  device: modelDevice,
  /** Findings below this confidence are ignored. */
  threshold: z.number().min(0).max(1).default(0.25),
  /** Boxes of the same label with a higher intersection over union count as one object. */
  iou: z.number().min(0).max(1).default(0.4),
  /** In the order of the planes of the output `peaks`. */
  labels: z.array(z.string().min(1).max(200)).min(1).max(10_000),
});

export type CenterNetManifest = z.infer<typeof centerNetManifest>;
