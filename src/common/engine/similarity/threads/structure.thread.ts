import { parentPort } from 'node:worker_threads';
import { onRequest } from '../../../platform/concurrency/thread-end';
import { lowerThreadPriority } from '../../compute/lower-thread-priority';
import { buildLabelIssues, buildStructure } from '../build-structure';
import type { OrderedVectors } from '../elsewhere/ordered-vectors';
import type { ComparedVectors } from '../similarity-structure';
import type { FillNeighbours } from '../structure-rows';
import { StoppedError } from './thread-pool';

const BUILDERS = { structure: buildStructure, labelIssues: buildLabelIssues } as const;
export type Computation = keyof typeof BUILDERS;
export type ComputationResult<C extends Computation> = Awaited<ReturnType<(typeof BUILDERS)[C]>>;

export interface StructureRequest<C extends Computation = Computation> {
  readonly computation: C;
  readonly input: ComparedVectors;
  readonly stop: Int32Array;
}

/** The reply to a request for neighbours; `found` is false if the search failed. */
export type StructureAnswer = { readonly part: number } | { readonly found: boolean };

export type StructureMessage =
  | { readonly progress: number }
  | { readonly ordered: OrderedVectors }
  | { readonly result: ComputationResult<Computation> };

const post = (message: StructureMessage): void => parentPort!.postMessage(message);
lowerThreadPriority();

let onAnswer: ((answer: StructureAnswer) => void) | undefined;

const fillNeighbours: FillNeighbours = (ordered, onProgress) =>
  new Promise((resolve, reject) => {
    onAnswer = (answer) => {
      if ('found' in answer) {
        if (answer.found) resolve();
        else reject(new StoppedError());
        return;
      }
      try {
        onProgress(answer.part);
      } catch {
        // `onProgress` throws if the computation was stopped.
        reject(new StoppedError());
      }
    };
    post({ ordered });
  });

onRequest((message: StructureRequest | StructureAnswer) => {
  if (!('computation' in message)) {
    onAnswer?.(message);
    return;
  }
  const { computation, input, stop } = message;
  const built = BUILDERS[computation](input, stop, (progress) => post({ progress }), fillNeighbours);
  // An unhandled error ends the thread, which reports it to the parent thread.
  void built.then((result) => post({ result }));
});
