import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../compute/lower-thread-priority';
import { buildStructure } from './build-structure';
import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

export interface StructureRequest {
  readonly input: SimilarityInput;
  readonly stop: Int32Array;
}

export type StructureMessage = { readonly progress: number } | { readonly structure: SimilarityStructure };

const post = (message: StructureMessage): void => parentPort!.postMessage(message);
lowerThreadPriority();

parentPort!.on('message', ({ input, stop }: StructureRequest) => {
  // An unhandled failure ends the thread, and its error reaches the parent thread.
  void buildStructure(input, stop, (progress) => post({ progress })).then((structure) => post({ structure }));
});
