import { Worker } from 'node:worker_threads';
import { endThread } from '../../platform/concurrency/thread-end';
import { childEntry } from '../../platform/config/child-process';
import { sharedFloat32 } from '../arithmetic/shared-arrays';
import type { QuantiseAnswer, QuantiseJob, Quantising } from './quantise.thread';
import { QuantisedBlocks, type FinishedBlocks } from './quantised-file';

const STAGED_BYTES = 4 * 2 ** 20;

/** The next stage is filled while the thread quantises the current one. */
const STAGES = 2;

/** Up to this number, quantising takes less time than starting a thread. */
const MAX_NUMBERS_ALONE = 2 ** 18;

/** Quantises vectors into blocks of rows, as they arrive. */
export interface Quantiser {
  add(first: number, vectors: Float32Array): Promise<void>;
  finish(): Promise<FinishedBlocks>;
  close(): Promise<void>;
}

export const quantiserOf = (quantising: Quantising): Quantiser =>
  quantising.rows * quantising.dimension <= MAX_NUMBERS_ALONE
    ? new QuantiserAlone(quantising)
    : new QuantiserThread(quantising);

class QuantiserAlone implements Quantiser {
  private readonly quantised: QuantisedBlocks;

  constructor(private readonly quantising: Quantising) {
    const { rows, dimension, blockRows } = quantising;
    this.quantised = new QuantisedBlocks(rows, dimension, blockRows);
  }

  async add(first: number, vectors: Float32Array): Promise<void> {
    this.quantised.add(first, vectors);
    await Promise.resolve();
  }

  finish(): Promise<FinishedBlocks> {
    return Promise.resolve(this.quantised.finish(this.quantising.asFiles));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class QuantiserThread implements Quantiser {
  private readonly worker: Worker;
  private readonly stages: readonly Float32Array[];
  private readonly stagedRows: number;
  private readonly free: number[] = [];
  private readonly inWork: number[] = [];
  private finished: FinishedBlocks | undefined;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  private readonly dimension: number;

  constructor(quantising: Quantising) {
    const { dimension } = quantising;
    this.dimension = dimension;
    this.stagedRows = Math.max(1, Math.floor(STAGED_BYTES / (dimension * 4)));
    this.stages = Array.from({ length: STAGES }, () => sharedFloat32(this.stagedRows * dimension));
    this.free.push(...this.stages.keys());
    const { file, execArgv } = childEntry(__dirname, 'quantise.thread');
    this.worker = new Worker(file, { execArgv, workerData: quantising })
      .on('message', (answer: QuantiseAnswer) => this.onAnswer(answer))
      .on('error', (error) => this.onFailure(error instanceof Error ? error : new Error(String(error))))
      .on('exit', (code) => this.onFailure(new Error(`The thread that quantises vectors ended with code ${code}`)));
  }

  async add(first: number, vectors: Float32Array): Promise<void> {
    const step = this.stagedRows * this.dimension;
    for (let start = 0; start < vectors.length; start += step) {
      await this.until(() => this.free.length > 0);
      this.post(first + start / this.dimension, vectors.subarray(start, start + step));
    }
  }

  async finish(): Promise<FinishedBlocks> {
    this.worker.postMessage('finish');
    await this.until(() => this.finished !== undefined);
    return this.finished!;
  }

  close(): Promise<void> {
    return endThread(this.worker);
  }

  private post(first: number, vectors: Float32Array): void {
    const stage = this.free.pop()!;
    const staged = this.stages[stage]!.subarray(0, vectors.length);
    staged.set(vectors);
    this.inWork.push(stage);
    const job: QuantiseJob = { first, vectors: staged };
    this.worker.postMessage(job);
  }

  /** The thread replies in the order of the requests. */
  private onAnswer(answer: QuantiseAnswer): void {
    if (answer === 'done') this.free.push(this.inWork.shift()!);
    else this.finished = answer;
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
