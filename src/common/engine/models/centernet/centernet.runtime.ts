import { defineRuntime } from '../model-runtime';
import { centerNetManifest } from './centernet-manifest';
import { CENTERNET_OPENERS } from './centernet.openers';

/** An ONNX file with the outputs `peaks` and `sizes`. */
export const centerNetRuntime = defineRuntime({
  name: 'centernet',
  runsIn: 'child',
  type: 'OBJECT_DETECTION',
  manifest: centerNetManifest,
  open: CENTERNET_OPENERS.OBJECT_DETECTION,
});
