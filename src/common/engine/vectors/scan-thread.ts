import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';
import { buffersOf } from './quantised-rows';
import type { KeptBlocks, NumberedBlock, UpperScores } from './held-blocks';
import type { QueryDigits } from './query-digits';
import type { ScanAnswer, ScanRequest } from './scan.thread';

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that stores parts of matrices and scans them, because calls of the runtime block their thread. */
export class ScanThread {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private failure: Error | undefined;
  private last = 0;

  constructor(private readonly onEnd: () => void) {
    const { file, execArgv } = childEntry(__dirname, 'scan.thread');
    this.worker = new Worker(file, { execArgv })
      .on('message', (answer: ScanAnswer) => this.onAnswer(answer))
      .on('error', (error) => this.onFailure(error instanceof Error ? error : new Error(String(error))))
      .on('exit', (code) => this.onFailure(new Error(`A thread that scans vectors ended with code ${code}`)));
    this.worker.unref();
  }

  /** Transfers the blocks to the thread. */
  open(matrix: number, blockRows: number, blocks: readonly NumberedBlock[], kept: KeptBlocks | undefined): void {
    const buffers = blocks.flatMap(({ rows }) => buffersOf(rows));
    this.worker.postMessage({ kind: 'open', matrix, blockRows, blocks, kept } satisfies ScanRequest, buffers);
  }

  close(matrix: number): void {
    this.worker.postMessage({ kind: 'close', matrix } satisfies ScanRequest);
  }

  upper(matrix: number, queries: readonly QueryDigits[], found: UpperScores): Promise<void> {
    return this.ask((job) => ({ kind: 'upper', job, matrix, queries, found }));
  }

  lower(matrix: number, query: QueryDigits, ordinals: Int32Array, added: Float32Array): Promise<void> {
    return this.ask((job) => ({ kind: 'lower', job, matrix, query, ordinals, added }));
  }

  settle(): Promise<void> {
    return this.ask((job) => ({ kind: 'settle', job }));
  }

  end(): void {
    void this.worker.terminate();
  }

  private ask(requestOf: (job: number) => ScanRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) {
        reject(this.failure);
        return;
      }
      const job = ++this.last;
      this.pending.set(job, { resolve, reject });
      this.worker.ref();
      this.worker.postMessage(requestOf(job));
    });
  }

  private onAnswer({ job, error }: ScanAnswer): void {
    const asked = this.pending.get(job);
    this.pending.delete(job);
    if (this.pending.size === 0) this.worker.unref();
    if (error === undefined) asked?.resolve();
    else asked?.reject(error);
  }

  private onFailure(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    this.onEnd();
  }
}
