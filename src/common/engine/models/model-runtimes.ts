import { centerNetRuntime } from './centernet/centernet.runtime';
import { hashedWordsRuntime } from './hashed-words.runtime';
import type { ModelRuntime } from './model-runtime';
import { OPENAI_RUNTIMES } from './openai/openai.runtime';
import { KSERVE_RUNTIMES } from './kserve/kserve.runtime';
import { ONNX_RUNTIMES } from './onnx.runtime';
import { paddleOcrRuntime } from './paddle-ocr/paddle-ocr.runtime';
import { TRANSFORMERS_RUNTIMES } from './transformers/transformers.runtime';

/** All runtimes that manifests may name. */
export const MODEL_RUNTIMES: readonly ModelRuntime[] = [
  ...ONNX_RUNTIMES,
  centerNetRuntime,
  hashedWordsRuntime,
  ...OPENAI_RUNTIMES,
  ...KSERVE_RUNTIMES,
  ...TRANSFORMERS_RUNTIMES,
  paddleOcrRuntime,
];
