import { hashedWordsRuntime } from './hashed-words.runtime';
import type { ModelRuntime } from './model-runtime';
import { onnxRuntime } from './onnx.runtime';

/** All runtimes that manifests may name. */
export const MODEL_RUNTIMES: readonly ModelRuntime[] = [onnxRuntime, hashedWordsRuntime];
