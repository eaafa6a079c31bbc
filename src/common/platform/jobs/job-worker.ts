import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { TransactionRunner } from '../database/transaction-runner';
import { outageOf } from '../outage/outage';
import { JobCancelledError, JobShutdownError } from './job-errors';
import { JobExecution, type ExecutionParts } from './job-execution';
import type { RegisteredJob } from './job-handler-registry';
import { JobMetrics } from './job-metrics';
import { JobNotifications } from './job-notifications';
import { JobRunStore } from './job-run.store';

export const OUTAGE_WAIT_MS = Symbol('OutageWaitMs');

/** Of what other processes enqueue, and of what has waited for its time. */
const CLAIM_MS = 300;
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
  private readonly parts: ExecutionParts;
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();
  private isWorking = false;
  private claiming: Promise<void> | undefined;
  private claimAgain = false;
  private reaping: Promise<void> | undefined;

  constructor(
    transactions: TransactionRunner,
    store: JobRunStore,
    private readonly notifications: JobNotifications,
    metrics: JobMetrics,
    @Inject(OUTAGE_WAIT_MS) outageWaitMs: number,
  ) {
    this.parts = { transactions, store, metrics, outageWaitMs };
  }

  /** A sole worker takes back every run at its start, since nobody else can be at it. */
  async start(jobs: ReadonlyMap<string, RegisteredJob>, sole: boolean): Promise<void> {
    this.jobs = jobs;
    // Bound, or a run would go on in the transaction and under the time limit of whoever enqueued it.
    this.notifications.onEnqueued(AsyncResource.bind(() => void this.claim()));
    this.notifications.onCancelled((runId) => {
      for (const execution of this.executions.keys()) {
        if (execution.run.runId === runId) execution.abort(new JobCancelledError());
      }
    });
    await this.takeBack(sole);
    this.isWorking = true;
    void this.claim();
  }

  /** Claims nothing more, tells the running handlers, and gives back what they leave. */
  async stop(): Promise<void> {
    this.isWorking = false;
    await Promise.all([this.claiming, this.reaping]);
    for (const execution of this.executions.keys()) execution.abort(new JobShutdownError());
    const deadline = new AbortController();
    await Promise.race([
      Promise.all(this.executions.values()),
      delay(STOP_TIMEOUT_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    for (const execution of this.executions.keys()) await this.giveBack(execution);
  }

  /** Also at once when a run is enqueued in this process, or one of its places is free again. */
  @Interval(CLAIM_MS)
  claim(): Promise<void> {
    this.claimAgain = true;
    this.claiming ??= this.claimWhileAsked().finally(() => (this.claiming = undefined));
    return this.claiming;
  }

  @Interval(REAP_MS)
  reap(): Promise<void> {
    this.reaping ??= this.reapOnce().finally(() => (this.reaping = undefined));
    return this.reaping;
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

  private async claimWhileAsked(): Promise<void> {
    while (this.isWorking && this.claimAgain) {
      this.claimAgain = false;
      await this.telling('Jobs could not be claimed', () => this.claimDue());
    }
  }

  private async claimDue(): Promise<void> {
    const places = this.freePlaces();
    if (places.size === 0) return;
    for (const run of await this.parts.store.claim(places, this.owner)) {
      const execution = new JobExecution(run, this.jobs.get(run.type)!, this.parts);
      const end = execution.perform().then(() => {
        this.executions.delete(execution);
        void this.claim();
      });
      this.executions.set(execution, end);
    }
  }

  private freePlaces(): Map<string, number> {
    const free = new Map([...this.jobs.values()].map(({ type }) => [type.name, type.concurrency]));
    for (const { typeName } of this.executions.keys()) free.set(typeName, free.get(typeName)! - 1);
    return new Map([...free].filter(([, places]) => places > 0));
  }

  private async reapOnce(): Promise<void> {
    if (!this.isWorking) return;
    await this.telling('Lost jobs could not be taken back', async () => {
      await this.takeBack(false);
      await this.parts.store.deleteFinished(KEEP_FINISHED_DAYS);
    });
  }

  private async takeBack(everyRun: boolean): Promise<void> {
    const taken = await this.parts.store.takeBack(everyRun);
    if (taken === 0) return;
    this.logger.warn(`${taken} jobs of a worker that is gone are taken up again`);
    void this.claim();
  }

  private async telling(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // An outage has its own lines, one when it begins and one when it ends.
      if (outageOf(error) === undefined) this.logger.warn(`${what}: ${messageOf(error)}`);
    }
  }
}
