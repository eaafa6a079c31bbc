import { hashedWordsRuntime } from './hashed-words.runtime';
import type { ModelRuntime } from './model-runtime';
import { onnxRuntime } from './onnx.runtime';

/** Every runtime that a manifest may name. */
export const MODEL_RUNTIMES: readonly ModelRuntime[] = [onnxRuntime, hashedWordsRuntime];
