import { createRequire } from 'node:module';
import type { OnnxModel } from './onnx-embedding';
import type { OnnxTaggerModel } from './onnx-tagger';
import type { UltralyticsModel } from './ultralytics/ultralytics-detector';

/** Loads libraries only when the first model is opened. */
const load = createRequire(__filename);

/** By type, a function that opens the model. */
export const ONNX_OPENERS = {
  IMAGE_ENCODING: (model: OnnxModel) => {
    const { OnnxEmbedding } = load('./onnx-embedding') as typeof import('./onnx-embedding');
    return OnnxEmbedding.open(model);
  },
  IMAGE_TAGGING: (model: OnnxTaggerModel) => {
    const { OnnxTagger } = load('./onnx-tagger') as typeof import('./onnx-tagger');
    return OnnxTagger.open(model);
  },
  OBJECT_DETECTION: (model: UltralyticsModel) => {
    const { openUltralytics } = load(
      './ultralytics/ultralytics-detector',
    ) as typeof import('./ultralytics/ultralytics-detector');
    return openUltralytics(model);
  },
};
