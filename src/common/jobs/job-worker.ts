import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { TransactionRunner } from '../database/transaction-runner';
import { outageOf } from '../outage/outage';
import { JobCancelledError, JobShutdownError } from './job-errors';
import { JobExecution, type ExecutionParts } from './job-execution';
import type { RegisteredJob } from './job-handler-registry';
import { JobMetrics } from './job-metrics';
import { JobNotifications } from './job-notifications';
import { JobRunStore } from './job-run.store';
import { JobTransport } from './job-transport';

export const OUTAGE_WAIT_MS = Symbol('OutageWaitMs');

const POLL_MS = 300;
/** While the database is away. */
const OUTAGE_POLL_MS = 1_000;
const REAP_MS = 10_000;
const STOP_TIMEOUT_MS = 25_000;
const KEEP_FINISHED_DAYS = 7;

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Claims what is due, runs it, and takes back the runs of workers that are gone. */
@Injectable()
export class JobWorker {
  private readonly logger = new Logger(JobWorker.name);
  private readonly owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  private readonly executions = new Map<JobExecution, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly parts: ExecutionParts;
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();
  private loops: Promise<unknown> = Promise.resolve();
  private wakeUp = new AbortController();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly store: JobRunStore,
    private readonly transport: JobTransport,
    private readonly notifications: JobNotifications,
    metrics: JobMetrics,
    @Inject(OUTAGE_WAIT_MS) outageWaitMs: number,
  ) {
    this.parts = { transactions, store, transport, metrics, outageWaitMs };
  }

  /** A sole worker takes back every run at its start, since nobody else can be at it. */
  async start(jobs: ReadonlyMap<string, RegisteredJob>, sole: boolean): Promise<void> {
    this.jobs = jobs;
    this.notifications.onEnqueued(() => this.wakeUp.abort());
    this.notifications.onCancelled((runId) => {
      for (const execution of this.executions.keys()) {
        if (execution.run.runId === runId) execution.abort(new JobCancelledError());
      }
    });
    await this.takeBack(sole);
    this.loops = Promise.all([this.claimInTurns(), this.reapInTurns()]);
  }

  /** Claims nothing more, tells the running handlers, and gives back what they leave. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp.abort();
    await this.loops;
    for (const execution of this.executions.keys()) execution.abort(new JobShutdownError());
    const deadline = new AbortController();
    await Promise.race([
      Promise.all(this.executions.values()),
      delay(STOP_TIMEOUT_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    for (const execution of this.executions.keys()) await this.giveBack(execution);
  }

  private async giveBack(execution: JobExecution): Promise<void> {
    const { runId } = execution.run;
    try {
      await execution.release();
      this.logger.warn(`Job ${runId} did not stop in time and was given back`);
    } catch (error) {
      this.logger.warn(`Job ${runId} did not stop in time and waits for its lease to run out: ${messageOf(error)}`);
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async claimInTurns(): Promise<void> {
    while (!this.isStopping()) {
      this.wakeUp = new AbortController();
      let wait = POLL_MS;
      try {
        if (await this.claimDue()) continue;
      } catch (error) {
        wait = this.tellFailure('Jobs could not be claimed', error) ? POLL_MS : OUTAGE_POLL_MS;
      }
      await this.pause(wait, this.wakeUp.signal);
    }
  }

  private async claimDue(): Promise<boolean> {
    const free = this.freePlaces();
    if (free.size === 0) return false;
    let claimed = 0;
    for (const name of await this.store.dueTypes([...free.keys()])) {
      claimed += await this.claim(this.jobs.get(name)!, free.get(name)!);
    }
    return claimed > 0;
  }

  private freePlaces(): Map<string, number> {
    const free = new Map([...this.jobs.values()].map(({ type }) => [type.name, type.concurrency]));
    for (const { typeName } of this.executions.keys()) free.set(typeName, free.get(typeName)! - 1);
    return new Map([...free].filter(([, places]) => places > 0));
  }

  private async claim(job: RegisteredJob, places: number): Promise<number> {
    const runs = await this.transactions.run(async (manager) => {
      const ids = await this.transport.take(manager, job.type.name, places);
      return ids.length === 0 ? [] : await this.store.claim(ids, this.owner);
    });
    for (const run of runs) {
      const execution = new JobExecution(run, job, this.parts);
      const end = execution.perform().then(() => {
        this.executions.delete(execution);
        this.wakeUp.abort();
      });
      this.executions.set(execution, end);
    }
    return runs.length;
  }

  private async reapInTurns(): Promise<void> {
    while (!this.isStopping()) {
      await this.pause(REAP_MS, this.stopping.signal);
      if (this.isStopping()) return;
      try {
        await this.takeBack(false);
        await this.store.deleteFinished(KEEP_FINISHED_DAYS);
      } catch (error) {
        this.tellFailure('Lost jobs could not be taken back', error);
      }
    }
  }

  /** False where nothing was told: an outage has its own lines, one when it begins and one when it ends. */
  private tellFailure(what: string, error: unknown): boolean {
    if (outageOf(error) !== undefined) return false;
    this.logger.warn(`${what}: ${messageOf(error)}`);
    return true;
  }

  private async takeBack(everyRun: boolean): Promise<void> {
    for (let taken = -1; taken !== 0;) {
      taken = await this.transactions.run(async (manager) => {
        const runs = await this.store.takeBack(everyRun);
        for (const { runId, type } of runs) await this.transport.send(manager, type, runId);
        return runs.length;
      });
      if (taken > 0) this.logger.warn(`${taken} jobs of a worker that is gone are taken up again`);
    }
    this.wakeUp.abort();
  }

  private async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}
