import { Worker } from 'node:worker_threads';
import { childEntry } from '../config/child-entry';
import { sharedFloat32 } from '../similarity/shared-arrays';
import type { QuantiseJob } from './quantise.thread';
import { allocateQuantisedRows, BLOCK_ROWS, type QuantisedRows } from './quantised-rows';

const STAGED_BYTES = 4 * 2 ** 20;

/** While the thread works on one stretch of rows, the next is copied. */
const STAGES = 2;

/** Turns vectors, as they come, into blocks of quantised rows, on a thread. */
export class Quantiser {
  readonly blocks: readonly QuantisedRows[];
  private readonly worker: Worker;
  private readonly stages: readonly Float32Array[];
  private readonly stagedRows: number;
  private readonly free: number[] = [];
  private readonly inWork: number[] = [];
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  constructor(
    rows: number,
    private readonly dimension: number,
  ) {
    this.blocks = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) }, (_, block) =>
      allocateQuantisedRows(Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS), dimension),
    );
    this.stagedRows = Math.max(1, Math.floor(STAGED_BYTES / (dimension * 4)));
    this.stages = Array.from({ length: STAGES }, () => sharedFloat32(this.stagedRows * dimension));
    this.free.push(...this.stages.keys());
    const { file, execArgv } = childEntry(__dirname, 'quantise.thread');
    this.worker = new Worker(file, { execArgv })
      .on('message', () => this.onDone())
      .on('error', (error) => this.onFailure(error instanceof Error ? error : new Error(String(error))))
      .on('exit', (code) => this.onFailure(new Error(`The thread that quantises vectors ended with code ${code}`)));
  }

  async add(first: number, vectors: Float32Array): Promise<void> {
    const end = first + vectors.length / this.dimension;
    let row = first;
    while (row < end) {
      const block = Math.floor(row / BLOCK_ROWS);
      const count = Math.min(end - row, (block + 1) * BLOCK_ROWS - row, this.stagedRows);
      const start = (row - first) * this.dimension;
      await this.until(() => this.free.length > 0);
      this.post(block, row - block * BLOCK_ROWS, vectors.subarray(start, start + count * this.dimension));
      row += count;
    }
  }

  async finish(): Promise<void> {
    await this.until(() => this.inWork.length === 0);
  }

  async close(): Promise<void> {
    await this.worker.removeAllListeners().terminate();
  }

  private post(block: number, first: number, vectors: Float32Array): void {
    const stage = this.free.pop()!;
    const staged = this.stages[stage]!.subarray(0, vectors.length);
    staged.set(vectors);
    this.inWork.push(stage);
    const job: QuantiseJob = { rows: this.blocks[block]!, first, vectors: staged };
    this.worker.postMessage(job);
  }

  /** The thread answers in the order of asking. */
  private onDone(): void {
    this.free.push(this.inWork.shift()!);
    this.wake();
  }

  private onFailure(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  private async until(holds: () => boolean): Promise<void> {
    while (this.failure === undefined && !holds()) await new Promise<void>((wake) => (this.wake = wake));
    if (this.failure !== undefined) throw this.failure;
  }
}
