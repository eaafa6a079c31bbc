import { Worker } from 'node:worker_threads';
import { endThread } from '../../../platform/concurrency/thread-end';
import { childEntry } from '../../../platform/config/child-process';
import { isStopped, type PoolJob, type Shared } from './pool-job';
import { sharedInt32 } from '../../arithmetic/shared-arrays';

type Unshared = PoolJob extends infer Job ? (Job extends PoolJob ? Omit<Job, keyof Shared> : never) : never;

const PROGRESS_EVERY_MS = 500;
/** The number of rows per thread that makes another thread worthwhile. */
const ROWS_PER_THREAD = 512;

/** The useful number of threads for this many rows; 0 if starting a thread takes longer than the work. */
export function usefulThreads(rows: number, most: number): number {
  return rows <= ROWS_PER_THREAD ? 0 : Math.min(most, Math.ceil(rows / ROWS_PER_THREAD));
}

export class StoppedError extends Error {
  constructor() {
    super('The computation was stopped');
  }
}

/** Threads that process one job at a time together. A job always runs to its end. */
export class ThreadPool {
  private workers: readonly Worker[];

  constructor(
    private readonly threads: number,
    private readonly stop: Int32Array,
    /** Runs the jobs on this thread if the pool has no threads. */
    private readonly alone?: (job: PoolJob) => Promise<void>,
  ) {
    this.workers = this.start();
  }

  get size(): number {
    return this.workers.length;
  }

  /** Whether the result is no longer needed or a job has failed. */
  get isStopped(): boolean {
    return isStopped(this.stop);
  }

  async run(job: Unshared, total: number, unit: number, onProgress?: (fraction: number) => void): Promise<void> {
    const cursor = sharedInt32(1);
    const failures: unknown[] = [];
    const timer = setInterval(() => {
      try {
        onProgress?.(Math.min(1, Atomics.load(cursor, 0) / Math.max(1, total)));
      } catch (error) {
        // An uncaught error would end this thread, and terminate the threads of the pool inside native code.
        failures.push(error);
        Atomics.store(this.stop, 0, 1);
      }
    }, PROGRESS_EVERY_MS);
    const posted = { ...job, cursor, unit, total, stop: this.stop };
    const alone = this.size === 0 ? this.alone?.(posted) : undefined;
    const outcomes = await Promise.allSettled([alone, ...this.workers.map((worker) => this.runOn(worker, posted))]);
    clearInterval(timer);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    if (failures.length > 0) throw failures[0];
    if (isStopped(this.stop)) throw new StoppedError();
  }

  /** Call between jobs: replaces the threads, which keep references to the arrays of former jobs. */
  async renew(): Promise<void> {
    await this.close();
    this.workers = this.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map(endThread));
  }

  private start(): Worker[] {
    const { file, execArgv } = childEntry(__dirname, 'pool.thread');
    return Array.from({ length: this.threads }, () => new Worker(file, { execArgv }));
  }

  private async runOn(worker: Worker, job: PoolJob): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error): void => {
        worker.off('message', onDone).off('error', onError).off('exit', onExit);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onDone = (): void => settle();
      const onError = (error: Error): void => {
        Atomics.store(this.stop, 0, 1);
        settle(error);
      };
      const onExit = (code: number): void => onError(new Error(`A similarity thread ended with code ${code}`));
      worker.on('message', onDone).on('error', onError).on('exit', onExit);
      worker.postMessage(job);
    });
  }
}
