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
import type { RegisteredJob } from './job-handler';
import { JobMetrics } from './job-metrics';
import { JobNotifications } from './job-notifications';
import { JobRunStore } from './job-run.store';

export const OUTAGE_WAIT_MS = Symbol('OutageWaitMs');

/** The interval at which runs are claimed that other processes enqueued or that have become due. */
const CLAIM_MS = 300;
const REAP_MS = 10_000;
const STOP_TIMEOUT_MS = 25_000;
const KEEP_FINISHED_DAYS = 7;

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Claims and executes due runs, and reclaims the runs of workers that have died. */
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

  /** A sole worker reclaims all runs at its start, because no other process can hold them. */
  async start(jobs: ReadonlyMap<string, RegisteredJob>, sole: boolean): Promise<void> {
    this.jobs = jobs;
    // Bound, so that a run does not inherit the transaction and call limit of the caller that enqueued it.
    this.notifications.onEnqueued(AsyncResource.bind(() => void this.claim()));
    this.notifications.onCancelled((runId) => {
      for (const execution of this.executions.keys()) {
        if (execution.run.runId === runId) execution.abort(new JobCancelledError());
      }
    });
    await this.reclaim(sole);
    this.isWorking = true;
    void this.claim();
  }

  /** Stops claiming, aborts the running handlers, and releases unfinished runs. */
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
    for (const execution of this.executions.keys()) await this.release(execution);
  }

  /** Also called when a run is enqueued in this process or a place becomes free. */
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

  private async release(execution: JobExecution): Promise<void> {
    const { runId } = execution.run;
    try {
      await execution.release();
      this.logger.warn(`Job ${runId} did not stop in time and was released`);
    } catch (error) {
      this.logger.warn(
        `Job ${runId} did not stop in time and will be released when its lease expires: ${messageOf(error)}`,
      );
    }
  }

  private async claimWhileAsked(): Promise<void> {
    while (this.isWorking && this.claimAgain) {
      this.claimAgain = false;
      await this.logFailure('Jobs could not be claimed', () => this.claimDue());
    }
  }

  private async claimDue(): Promise<void> {
    const places = this.freePlaces();
    if (places.size === 0) return;
    for (const run of await this.parts.store.claim(places, this.owner)) {
      const execution = new JobExecution(run, this.jobs.get(run.type)!, this.parts);
      const end = execution.perform().then(() => {
        this.executions.delete(execution);
        this.notifications.ended(run.runId);
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
    await this.logFailure('Lost jobs could not be reclaimed', async () => {
      await this.reclaim(false);
      await this.parts.store.deleteFinished(KEEP_FINISHED_DAYS);
    });
  }

  private async reclaim(everyRun: boolean): Promise<void> {
    // After a suspension, the next heartbeat renews the leases of this process.
    const executed = [...this.executions.keys()].map(({ run }) => run.runId);
    const reclaimed = await this.parts.store.reclaim(everyRun, executed);
    if (reclaimed === 0) return;
    this.logger.warn(`Reclaimed ${reclaimed} jobs of workers whose lease has expired`);
    void this.claim();
  }

  private async logFailure(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Outages are logged separately, when they begin and when they end.
      if (outageOf(error) === undefined) this.logger.warn(`${what}: ${messageOf(error)}`);
    }
  }
}
