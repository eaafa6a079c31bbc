import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { childEntry } from '../config/child-entry';
import { buffersOf, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';
import type { ScanAnswer, ScanRequest } from './scan.thread';

interface Pending {
  readonly resolve: (found: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread that owns the matrices and multiplies them: the runtime's calls keep their thread until they are done. */
export class ScanThread {
  private static readonly started = new Map<number, ScanThread>();

  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private failure: Error | undefined;
  private last = 0;

  private constructor(private readonly threads: number) {
    const { file, execArgv } = childEntry(__dirname, 'scan.thread');
    this.worker = new Worker(file, { execArgv, workerData: { threads } })
      .on('message', (answer: ScanAnswer) => this.onAnswer(answer))
      .on('error', (error) => this.onFailure(error instanceof Error ? error : new Error(String(error))))
      .on('exit', (code) => this.onFailure(new Error(`The thread that scans vectors ended with code ${code}`)));
    this.worker.unref();
  }

  /** One for all matrices of the process; `threads` share each product. */
  static get(threads = availableParallelism()): ScanThread {
    const started = ScanThread.started.get(threads) ?? new ScanThread(threads);
    ScanThread.started.set(threads, started);
    return started;
  }

  /** Its matrices are lost then. */
  get hasEnded(): boolean {
    return this.failure !== undefined;
  }

  /** Takes the blocks away from this thread. */
  open(blocks: readonly QuantisedRows[]): number {
    const matrix = ++this.last;
    this.post({ kind: 'open', matrix, blocks }, buffersOf(blocks));
    return matrix;
  }

  close(matrix: number): void {
    this.post({ kind: 'close', matrix });
  }

  upper(matrix: number, queries: readonly QueryDigits[]): Promise<readonly Float32Array[]> {
    return this.ask((job) => ({ kind: 'upper', job, matrix, queries }));
  }

  async lower(matrix: number, query: QueryDigits, ordinals: Int32Array): Promise<Float32Array> {
    const [added] = await this.ask((job) => ({ kind: 'lower', job, matrix, query, ordinals }));
    return added!;
  }

  private ask(requestOf: (job: number) => ScanRequest): Promise<readonly Float32Array[]> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) {
        reject(this.failure);
        return;
      }
      const job = ++this.last;
      this.pending.set(job, { resolve, reject });
      this.worker.ref();
      this.post(requestOf(job));
    });
  }

  private post(request: ScanRequest, buffers: ArrayBuffer[] = []): void {
    this.worker.postMessage(request, buffers);
  }

  private onAnswer(answer: ScanAnswer): void {
    const asked = this.pending.get(answer.job);
    this.pending.delete(answer.job);
    if (this.pending.size === 0) this.worker.unref();
    if ('found' in answer) asked?.resolve(answer.found);
    else asked?.reject(answer.error);
  }

  private onFailure(error: Error): void {
    this.failure ??= error;
    if (ScanThread.started.get(this.threads) === this) ScanThread.started.delete(this.threads);
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.pending.clear();
  }
}
