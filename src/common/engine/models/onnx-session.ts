import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { errorMessage } from '../../platform/errors/error-code';
import { ModelError } from './model-error';
import type { ModelDevice } from './model-manifest';

/** One thread per session, because there is a child per core. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Its errors are also thrown.
  logSeverityLevel: 4,
};

interface SessionSettings {
  readonly device: ModelDevice;
  readonly options?: InferenceSession.SessionOptions;
}

/** Throws ModelError if the file is not a usable ONNX model, or the device is unavailable. */
export async function openSession(
  folder: string,
  file: string,
  { device, options = SESSION_OPTIONS }: SessionSettings,
): Promise<InferenceSession> {
  // Loaded on demand, because only processes that open a model need the library.
  const { InferenceSession: Session } = await import('onnxruntime-node');
  try {
    return await Session.create(join(folder, file), { ...options, executionProviders: [device] });
  } catch (error) {
    if (device === 'cpu')
      throw new ModelError(`The file ${file} in ${folder} is not a usable ONNX model: ${firstLine(error)}.`);
    throw new ModelError(`The file ${file} in ${folder} ${unusableBy(device, error)}`);
  }
}

/** Usually the device is missing, rather than the model being invalid. */
export const unusableBy = (device: ModelDevice, error: unknown): string =>
  `can't be used by the device ${device}: ${firstLine(error)}. Check the GPU and its libraries, or remove device from the manifest.`;

export const firstLine = (error: unknown): string => {
  const line = errorMessage(error).split('\n')[0]!;
  return line.endsWith('.') ? line.slice(0, -1) : line;
};
