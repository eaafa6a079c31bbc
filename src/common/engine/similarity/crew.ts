import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';
import { isStopped, type CrewJob, type Shared } from './crew-job';
import { sharedInt32 } from '../arithmetic/shared-arrays';

type Unshared = CrewJob extends infer Job ? (Job extends CrewJob ? Omit<Job, keyof Shared> : never) : never;

const PROGRESS_EVERY_MS = 500;
/** A block of rows, which one thread fills. */
const ROWS_OF_A_THREAD = 512;

/** How many threads find something to do with so many rows; 0 where starting one takes longer than the work. */
export function usefulThreads(rows: number, most: number): number {
  return rows <= ROWS_OF_A_THREAD ? 0 : Math.min(most, Math.ceil(rows / ROWS_OF_A_THREAD));
}

export class StoppedError extends Error {
  constructor() {
    super('The computation was stopped');
  }
}

/** Threads that do one job together at a time. A thread inside native code must not be terminated: jobs end first. */
export class Crew {
  private readonly workers: readonly Worker[];

  constructor(
    threads: number,
    private readonly stop: Int32Array,
    /** Does the jobs of a crew without threads. */
    private readonly alone?: (job: CrewJob) => Promise<void>,
  ) {
    const { file, execArgv } = childEntry(__dirname, 'crew.thread');
    this.workers = Array.from({ length: threads }, () => new Worker(file, { execArgv }));
  }

  get size(): number {
    return this.workers.length;
  }

  async run(job: Unshared, total: number, unit: number, onProgress?: (fraction: number) => void): Promise<void> {
    const cursor = sharedInt32(1);
    const timer = setInterval(
      () => onProgress?.(Math.min(1, Atomics.load(cursor, 0) / Math.max(1, total))),
      PROGRESS_EVERY_MS,
    );
    const posted = { ...job, cursor, unit, total, stop: this.stop };
    const alone = this.size === 0 ? this.alone?.(posted) : undefined;
    const outcomes = await Promise.allSettled([alone, ...this.workers.map((worker) => this.runOn(worker, posted))]);
    clearInterval(timer);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    if (isStopped(this.stop)) throw new StoppedError();
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private async runOn(worker: Worker, job: CrewJob): Promise<void> {
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
