import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';
import type { ConductorData, ConductorMessage } from './conductor.thread';
import { stoppable } from './stoppable';
import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

export interface SimilarityOptions {
  readonly signal?: AbortSignal;
  /** 0 to 1, rising. */
  readonly onProgress?: (fraction: number) => void;
}

/** Off the event loop; the same input gives the same output, whatever the threads. An abort rejects with the signal's reason. */
export async function computeSimilarityStructure(
  input: SimilarityInput,
  { signal, onProgress }: SimilarityOptions = {},
): Promise<SimilarityStructure> {
  checkInput(input);
  return stoppable(signal, (stop) => conducted({ input, stop }, onProgress));
}

/** The thread ends by itself: with the structure, or with an error once its crew stands still. */
async function conducted(
  data: ConductorData,
  onProgress: ((fraction: number) => void) | undefined,
): Promise<SimilarityStructure> {
  const { file, execArgv } = childEntry(__dirname, 'conductor.thread');
  const worker = new Worker(file, { execArgv, workerData: data });
  return await new Promise<SimilarityStructure>((resolve, reject) => {
    worker.on('message', (message: ConductorMessage) => {
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
    throw new RangeError(`A ladder falls from level to level: ${ladder.join(', ')}`);
  }
}
