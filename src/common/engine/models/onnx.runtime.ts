import { defineRuntime, type ModelRuntime } from './model-runtime';
import { OnnxEmbedding } from './onnx-embedding';
import { onnxManifest } from './onnx-manifest';
import { UltralyticsDetector } from './ultralytics/ultralytics-detector';
import { ultralyticsManifest } from './ultralytics/ultralytics-manifest';

const common = { name: 'onnx', runsIn: 'child' } as const;

/** A single ONNX file. */
export const ONNX_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...common,
    type: 'IMAGE_ENCODING',
    manifest: onnxManifest,
    open: (model) => OnnxEmbedding.open(model),
  }),
  defineRuntime({
    ...common,
    type: 'OBJECT_DETECTION',
    manifest: ultralyticsManifest,
    open: (model) => UltralyticsDetector.open(model),
  }),
];
