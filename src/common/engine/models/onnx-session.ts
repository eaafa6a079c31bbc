import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { errorMessage } from '../../platform/errors/error-code';
import { ModelError } from './model-error';

/** One thread each, because as many children work as there are cores. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Its errors are thrown as well.
  logSeverityLevel: 4,
};

/** Throws ModelError if the file is not a usable ONNX model. */
export async function openSession(folder: string, file: string): Promise<InferenceSession> {
  // Loaded on demand: only processes that open a model need the library.
  const { InferenceSession: Session } = await import('onnxruntime-node');
  try {
    return await Session.create(join(folder, file), SESSION_OPTIONS);
  } catch (error) {
    throw new ModelError(`The file ${file} in ${folder} is not a usable ONNX model: ${firstLine(error)}.`);
  }
}

export const firstLine = (error: unknown): string => {
  const line = errorMessage(error).split('\n')[0]!;
  return line.endsWith('.') ? line.slice(0, -1) : line;
};
