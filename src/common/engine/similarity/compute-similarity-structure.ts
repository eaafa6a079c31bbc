import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';
import type { StructureRequest, StructureMessage } from './structure.thread';
import { stoppable } from './stoppable';
import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

export interface SimilarityOptions {
  readonly signal?: AbortSignal;
  /** From 0 to 1, never decreasing. */
  readonly onProgress?: (fraction: number) => void;
}

/** Runs off the event loop and is deterministic for any number of threads. An abort rejects with the signal's reason. */
export async function computeSimilarityStructure(
  input: SimilarityInput,
  { signal, onProgress }: SimilarityOptions = {},
): Promise<SimilarityStructure> {
  checkInput(input);
  return stoppable(signal, (stop) => computeOnThread({ input, stop }, onProgress));
}

/** The thread ends by itself, with the structure or an error, once its workers have stopped. */
async function computeOnThread(
  data: StructureRequest,
  onProgress: ((fraction: number) => void) | undefined,
): Promise<SimilarityStructure> {
  const { file, execArgv } = childEntry(__dirname, 'structure.thread');
  const worker = new Worker(file, { execArgv, workerData: data });
  return await new Promise<SimilarityStructure>((resolve, reject) => {
    worker.on('message', (message: StructureMessage) => {
      if ('progress' in message) onProgress?.(message.progress);
      else resolve(message.structure);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The similarity thread ended early with code ${code}`)));
  });
}

function checkInput({ count, dimension, vectors, contentGroup, ladder }: SimilarityInput): void {
  if (vectors.length !== count * dimension) {
    throw new RangeError(`${count} vectors of ${dimension} numbers are not ${vectors.length} numbers`);
  }
  if (contentGroup.length !== count) throw new RangeError(`${contentGroup.length} content groups for ${count} vectors`);
  if (!(vectors.buffer instanceof SharedArrayBuffer)) throw new TypeError('Vectors must be in shared memory');
  if (ladder.some((cut, level) => level > 0 && cut > ladder[level - 1]!)) {
    throw new RangeError(`The ladder must fall from level to level: ${ladder.join(', ')}`);
  }
}
