import { defineRuntime } from './model-runtime';
import { OnnxEmbedding } from './onnx-embedding';
import { onnxManifest } from './onnx-manifest';

export const onnxRuntime = defineRuntime({
  kind: 'image-embedding',
  name: 'onnx',
  manifest: onnxManifest,
  open: (model) => OnnxEmbedding.open(model),
});
