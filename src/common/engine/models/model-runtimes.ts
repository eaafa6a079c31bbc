import { hashedWordsRuntime } from './hashed-words.runtime';
import type { ModelRuntime } from './model-runtime';
import { openAiRuntimes } from './openai/openai.runtime';
import { kserveRuntimes } from './kserve/kserve.runtime';
import { onnxRuntime } from './onnx.runtime';
import { TRANSFORMERS_RUNTIMES } from './transformers/transformers.runtime';

/** All runtimes that manifests may name. */
export const MODEL_RUNTIMES: readonly ModelRuntime[] = [
  onnxRuntime,
  hashedWordsRuntime,
  ...openAiRuntimes,
  ...kserveRuntimes,
  ...TRANSFORMERS_RUNTIMES,
];
