import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '../../platform/concurrency/asked-thread';
import { onRequest } from '../../platform/concurrency/thread-end';
import { lowerThreadPriority } from '../compute/lower-thread-priority';
import type { Annotation } from './annotation';
import { hasAttributes, type AttributeTests } from './attribute-tests';
import { textsIn, type PackedPictures } from './segment';

export interface AttributeRequest {
  readonly job: number;
  readonly blocks: readonly PackedPictures[];
  readonly tests: AttributeTests;
}

lowerThreadPriority();

function answer({ job, blocks, tests }: AttributeRequest): ThreadAnswer<Uint8Array> {
  const passed: number[] = [];
  try {
    for (const block of blocks)
      for (const text of textsIn(block))
        for (const annotation of JSON.parse(text.toString()) as Annotation[])
          passed.push(hasAttributes(annotation, tests) ? 1 : 0);
    return { job, answer: Uint8Array.from(passed) };
  } catch (error) {
    return { job, error };
  }
}

onRequest((request: AttributeRequest) => parentPort!.postMessage(answer(request)));
