import { parentPort, workerData } from 'node:worker_threads';
import { yieldToOthers } from '../compute/yield-to-others';
import { buildStructure } from './build-structure';
import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

export interface ConductorData {
  readonly input: SimilarityInput;
  readonly stop: Int32Array;
}

export type ConductorMessage = { readonly progress: number } | { readonly structure: SimilarityStructure };

const tell = (message: ConductorMessage): void => parentPort!.postMessage(message);
const { input, stop } = workerData as ConductorData;
yieldToOthers();

// A failure is left unhandled: it ends the thread, and its error reaches the one who started it.
void buildStructure(input, stop, (progress) => tell({ progress })).then((structure) => tell({ structure }));
