import { defineRuntime } from './model-runtime';
import { OnnxEmbedding } from './onnx-embedding';
import { onnxManifest } from './onnx-manifest';

export const onnxRuntime = defineRuntime({
  type: 'IMAGE_ENCODING',
  name: 'onnx',
  runsIn: 'child',
  manifest: onnxManifest,
  open: (model) => OnnxEmbedding.open(model),
});
