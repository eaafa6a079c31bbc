import { createRequire } from 'node:module';
import type { PaddleOcrModel } from './paddle-ocr';

/** Loads libraries only when the first model is opened. */
const load = createRequire(__filename);

/** By type, a function that opens the model. */
export const PADDLE_OCR_OPENERS = {
  TEXT_RECOGNITION: (model: PaddleOcrModel) => {
    const { PaddleOcr } = load('./paddle-ocr') as typeof import('./paddle-ocr');
    return PaddleOcr.open(model);
  },
};
