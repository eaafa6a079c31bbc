import { Worker } from 'node:worker_threads';
import { endThread } from '../../../platform/concurrency/thread-end';
import { childEntry } from '../../../platform/config/child-process';
import type { OrderedVectors } from '../elsewhere/ordered-vectors';
import type {
  Computation,
  ComputationResult,
  StructureAnswer,
  StructureMessage,
  StructureRequest,
} from './structure.thread';

export interface StructureOptions {
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** The external neighbour search, for inputs that ask for it. Its signal aborts when the neighbours are no longer needed. */
  readonly search?: NeighbourSearch | undefined;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Fills the neighbours of vectors. */
export type NeighbourSearch = (ordered: OrderedVectors, options: SearchOptions) => Promise<void>;

/** Above this size, a thread ends after its computation, which returns its memory. */
const MAX_ROWS_OF_KEPT = 20_000;
const IDLE_MS = 10_000;

/** The thread that became idle last. It is reused, because starting a thread takes longer than a small computation. */
let kept: { readonly thread: StructureThread; readonly ending: NodeJS.Timeout } | undefined;

/** Computes similarity structures or label issues on a thread, one at a time. */
export class StructureThread {
  private readonly worker: Worker;

  private constructor() {
    const { file, execArgv } = childEntry(__dirname, 'structure.thread');
    this.worker = new Worker(file, { execArgv });
  }

  static async compute<C extends Computation>(
    request: StructureRequest<C>,
    options: StructureOptions = {},
  ): Promise<ComputationResult<C>> {
    const thread = takeKept() ?? new StructureThread();
    const result = (await thread.run(request, options)) as ComputationResult<C>;
    if (kept === undefined && request.input.count <= MAX_ROWS_OF_KEPT) keep(thread);
    else thread.end();
    return result;
  }

  /** An error in a computation ends the thread, after its pool threads have stopped. */
  private async run(
    request: StructureRequest,
    { onProgress, search }: StructureOptions,
  ): Promise<ComputationResult<Computation>> {
    const { worker } = this;
    const searching = new Searching(worker, search);
    worker.ref();
    worker.postMessage(request);
    try {
      return await new Promise<ComputationResult<Computation>>((resolve, reject) => {
        worker.on('message', (message: StructureMessage) => {
          if ('progress' in message) onProgress?.(message.progress);
          else if ('ordered' in message) searching.begin(message.ordered);
          else resolve(message.result);
        });
        worker.once('error', reject);
        worker.once('exit', (code) => reject(new Error(`The similarity thread ended early with code ${code}`)));
      });
    } catch (error) {
      await searching.end();
      throw searching.failure ?? error;
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
    void endThread(this.worker);
  }
}

/** The external neighbour search of a computation. If it fails, the computation stops and fails with the same error. */
class Searching {
  failure: unknown;
  private readonly ending = new AbortController();
  private current: Promise<void> | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly search: NeighbourSearch | undefined,
  ) {}

  begin(ordered: OrderedVectors): void {
    this.current = this.find(ordered);
  }

  /** Returns when nothing writes to the neighbours any more. */
  async end(): Promise<void> {
    this.ending.abort(new Error('The similarity thread has ended'));
    await this.current;
  }

  private async find(ordered: OrderedVectors): Promise<void> {
    const { signal } = this.ending;
    try {
      if (this.search === undefined) throw new Error('No external neighbour search is configured');
      await this.search(ordered, { signal, onProgress: (part) => this.answer({ part }) });
      this.answer({ found: true });
    } catch (error) {
      if (!signal.aborted) this.failure = error;
      this.answer({ found: false });
    }
  }

  private answer(answer: StructureAnswer): void {
    this.worker.postMessage(answer);
  }
}

function keep(thread: StructureThread): void {
  const ending = setTimeout(() => {
    // Before the thread has ended, so that it is not reused meanwhile.
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
