import { defineRuntime, type ModelRuntime } from './model-runtime';
import { onnxManifest } from './onnx-manifest';
import { ONNX_OPENERS } from './onnx.openers';
import { ultralyticsManifest } from './ultralytics/ultralytics-manifest';

const common = { name: 'onnx', runsIn: 'child' } as const;

/** A single ONNX file. */
export const ONNX_RUNTIMES: readonly ModelRuntime[] = [
  defineRuntime({
    ...common,
    type: 'IMAGE_ENCODING',
    manifest: onnxManifest,
    open: ONNX_OPENERS.IMAGE_ENCODING,
  }),
  defineRuntime({
    ...common,
    type: 'OBJECT_DETECTION',
    manifest: ultralyticsManifest,
    open: ONNX_OPENERS.OBJECT_DETECTION,
  }),
];
