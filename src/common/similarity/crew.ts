import { Worker } from 'node:worker_threads';
import { childEntry } from '../config/child-entry';
import { isStopped, type CrewJob, type Shared } from './crew-job';
import { sharedInt32 } from './shared-arrays';

type Unshared = CrewJob extends infer Job ? (Job extends CrewJob ? Omit<Job, keyof Shared> : never) : never;

const PROGRESS_EVERY_MS = 500;

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
    const outcomes = await Promise.allSettled(this.workers.map((worker) => this.runOn(worker, posted)));
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
