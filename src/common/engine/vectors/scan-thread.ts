import { AskedThread } from '../../platform/concurrency/asked-thread';
import { buffersOf } from './quantised-rows';
import type { KeptBlocks, NumberedBlock, UpperScores } from './held-blocks';
import type { QueryDigits } from './query-digits';
import type { ScanRequest } from './scan.thread';

/** A thread that stores parts of matrices and scans them, because calls of the runtime block their thread. */
export class ScanThread {
  private readonly thread: AskedThread;

  constructor(onEnd: () => void) {
    this.thread = new AskedThread({ folder: __dirname, name: 'scan.thread', onEnd });
  }

  /** Transfers the blocks to the thread. */
  open(matrix: number, blockRows: number, blocks: readonly NumberedBlock[], kept: KeptBlocks | undefined): void {
    const buffers = blocks.flatMap(({ rows }) => buffersOf(rows));
    this.thread.tell({ kind: 'open', matrix, blockRows, blocks, kept } satisfies ScanRequest, buffers);
  }

  close(matrix: number): void {
    this.thread.tell({ kind: 'close', matrix } satisfies ScanRequest);
  }

  upper(matrix: number, queries: readonly QueryDigits[], found: UpperScores): Promise<void> {
    return this.ask((job) => ({ kind: 'upper', job, matrix, queries, found }));
  }

  lower(matrix: number, query: QueryDigits, ordinals: Int32Array, added: Float32Array): Promise<void> {
    return this.ask((job) => ({ kind: 'lower', job, matrix, query, ordinals, added }));
  }

  get isBusy(): boolean {
    return this.thread.isBusy;
  }

  settle(): Promise<void> {
    return this.ask((job) => ({ kind: 'settle', job }));
  }

  end(): Promise<void> {
    return this.thread.end();
  }

  private ask(requestOf: (job: number) => ScanRequest): Promise<void> {
    return this.thread.ask(requestOf);
  }
}
