import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';
import type { Computation, ComputationResult, StructureMessage, StructureRequest } from './structure.thread';

/** A thread that has grown by a large computation gives its memory back by ending. */
const MAX_ROWS_OF_KEPT = 20_000;
const IDLE_MS = 10_000;

/** The last thread that became idle: to start one takes longer than a small computation. */
let kept: { readonly thread: StructureThread; readonly ending: NodeJS.Timeout } | undefined;

/** A thread that computes similarity structures or judges labels, one at a time. */
export class StructureThread {
  private readonly worker: Worker;

  private constructor() {
    const { file, execArgv } = childEntry(__dirname, 'structure.thread');
    this.worker = new Worker(file, { execArgv });
  }

  static async compute<C extends Computation>(
    request: StructureRequest<C>,
    onProgress: ((fraction: number) => void) | undefined,
  ): Promise<ComputationResult<C>> {
    const thread = takeKept() ?? new StructureThread();
    const result = (await thread.run(request, onProgress)) as ComputationResult<C>;
    if (kept === undefined && request.input.count <= MAX_ROWS_OF_KEPT) keep(thread);
    else thread.end();
    return result;
  }

  /** An error in a computation ends the thread, once the threads that work for it have stopped. */
  private async run(
    request: StructureRequest,
    onProgress: ((fraction: number) => void) | undefined,
  ): Promise<ComputationResult<Computation>> {
    const { worker } = this;
    worker.ref();
    worker.postMessage(request);
    try {
      return await new Promise<ComputationResult<Computation>>((resolve, reject) => {
        worker.on('message', (message: StructureMessage) => {
          if ('progress' in message) onProgress?.(message.progress);
          else resolve(message.result);
        });
        worker.once('error', reject);
        worker.once('exit', (code) => reject(new Error(`The similarity thread ended early with code ${code}`)));
      });
    } finally {
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
    }
  }

  rest(): void {
    // An idle thread does not keep the process running.
    this.worker.unref();
    this.worker.once('exit', () => forget(this));
  }

  end(): void {
    void this.worker.terminate();
  }
}

function keep(thread: StructureThread): void {
  const ending = setTimeout(() => {
    // At once, because it takes a moment to end, in which nobody may take it.
    forget(thread);
    thread.end();
  }, IDLE_MS);
  ending.unref();
  kept = { thread, ending };
  thread.rest();
}

function takeKept(): StructureThread | undefined {
  if (kept === undefined) return undefined;
  const { thread, ending } = kept;
  clearTimeout(ending);
  kept = undefined;
  return thread;
}

function forget(thread: StructureThread): void {
  if (kept?.thread === thread) takeKept();
}
