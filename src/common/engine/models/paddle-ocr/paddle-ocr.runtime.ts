import { z } from 'zod';
import { modelDevice, modelFile, textRecognitionManifestFields } from '../model-manifest';
import { defineRuntime } from '../model-runtime';
import { PADDLE_OCR_OPENERS } from './paddle-ocr.openers';

const manifest = z.strictObject({
  ...textRecognitionManifestFields,
  files: z.strictObject({ detection: modelFile, recognition: modelFile, direction: modelFile, keys: modelFile }),
  device: modelDevice,
  /** Lines below this confidence are ignored. */
  threshold: z.number().min(0).max(1).default(0.5),
});

export const paddleOcrRuntime = defineRuntime({
  type: 'TEXT_RECOGNITION',
  name: 'paddle-ocr',
  runsIn: 'child',
  manifest,
  open: PADDLE_OCR_OPENERS.TEXT_RECOGNITION,
});
