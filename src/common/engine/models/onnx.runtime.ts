import { readClassLabels } from './class-labels';
import { defineRuntime, type ModelRuntime } from './model-runtime';
import { onnxManifest, onnxTaggerManifest, ultralyticsManifest } from './onnx-manifests';
import { ONNX_OPENERS } from './onnx.openers';

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
    type: 'IMAGE_TAGGING',
    manifest: onnxTaggerManifest,
    classLabels: ({ folder, manifest }) => readClassLabels(folder, manifest.files.labels),
    open: ONNX_OPENERS.IMAGE_TAGGING,
  }),
  defineRuntime({
    ...common,
    type: 'OBJECT_DETECTION',
    manifest: ultralyticsManifest,
    open: ONNX_OPENERS.OBJECT_DETECTION,
  }),
];
