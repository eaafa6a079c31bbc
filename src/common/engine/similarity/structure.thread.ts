import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../compute/lower-thread-priority';
import { buildLabelIssues, buildStructure } from './build-structure';
import type { ComparedVectors } from './similarity-structure';

const BUILDERS = { structure: buildStructure, labelIssues: buildLabelIssues } as const;
export type Computation = keyof typeof BUILDERS;
export type ComputationResult<C extends Computation> = Awaited<ReturnType<(typeof BUILDERS)[C]>>;

export interface StructureRequest<C extends Computation = Computation> {
  readonly computation: C;
  readonly input: ComparedVectors;
  readonly stop: Int32Array;
}

export type StructureMessage = { readonly progress: number } | { readonly result: ComputationResult<Computation> };

const post = (message: StructureMessage): void => parentPort!.postMessage(message);
lowerThreadPriority();

parentPort!.on('message', ({ computation, input, stop }: StructureRequest) => {
  const built = BUILDERS[computation](input, stop, (progress) => post({ progress }));
  // An unhandled failure ends the thread, and its error reaches the parent thread.
  void built.then((result) => post({ result }));
});
