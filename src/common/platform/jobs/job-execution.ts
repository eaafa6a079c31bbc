import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TransactionRunner } from '../database/transaction-runner';
import { inSpan, SpanKind, withTraceParent } from '../observability/spans';
import { withCallLimit } from '../outage/call-limit';
import { isUnrecoverable, outageOf, type OutageError } from '../outage/outage';
import { JobCancelledError, JobShutdownError, JobYieldedError, LeaseLostError, PermanentJobError } from './job-errors';
import type { JobContext, RegisteredJob } from './job-handler';
import type { JobMetrics, JobOutcome } from './job-metrics';
import { waitingFor, OutageTooLongError, userFacingError } from './job-failure';
import { type JobVerdict, LEASE_SECONDS, type ClaimedRun, type JobRunStore, type Requeue } from './job-run.store';

export interface ExecutionParts {
  readonly transactions: TransactionRunner;
  readonly store: JobRunStore;
  readonly metrics: JobMetrics;
  /** How long a job waits during an outage before it fails. */
  readonly outageWaitMs: number;
}

const HEARTBEAT_MS = 3_000;
const MAX_LOST_LEASES = 20;
const MAX_RETRY_DELAY_SECONDS = 300;
const RECORD_TRIES = 60;
const RECORD_RETRY_MS = 500;
/** No client waits for a job, so a call may take longer than in a request. */
const CALL_LIMIT_MS = 60_000;
const FINAL_OUTCOMES: readonly JobOutcome[] = ['succeeded', 'failed', 'cancelled'];

const NOW = { delayMs: 0 };

function retryDelay({ retryDelaySeconds }: RegisteredJob['type'], failures: number): { delayMs: number } {
  const seconds = Math.min(retryDelaySeconds * 2 ** (failures - 1), MAX_RETRY_DELAY_SECONDS);
  return { delayMs: seconds * 1_000 * (0.75 + Math.random() / 2) };
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** One attempt of a run, from its claim until its outcome is recorded. */
export class JobExecution {
  private readonly logger = new Logger(JobExecution.name);
  private readonly abortController = new AbortController();
  private checkpoint: unknown;
  /** The attempt has recorded its end or its next start. */
  private completed = false;
  private postponed = false;
  private lastBeat = Date.now();
  private beating = false;
  private readonly startedAt = Date.now();
  private failures: number;
  private waitingSince: Date | null;
  private isStopping = false;

  constructor(
    readonly run: ClaimedRun,
    private readonly job: RegisteredJob,
    private readonly parts: ExecutionParts,
  ) {
    this.checkpoint = run.checkpoint;
    this.failures = run.failures;
    this.waitingSince = run.waitingSince;
  }

  get typeName(): string {
    return this.job.type.name;
  }

  abort(reason: Error): void {
    if (reason instanceof JobShutdownError) this.isStopping = true;
    this.abortController.abort(reason);
  }

  /** Never rejects. */
  async perform(): Promise<void> {
    const heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    try {
      const outcome = await this.traced(() => withCallLimit(CALL_LIMIT_MS, () => this.outcome()));
      this.parts.metrics.record(this.job.type.name, outcome);
      if (FINAL_OUTCOMES.includes(outcome) && this.job.type.logsEnd) this.logEnd(outcome);
    } catch (error) {
      // A run whose outcome could not be recorded is claimed again when its lease expires.
      this.parts.metrics.record(this.job.type.name, 'lost');
      this.logger.warn(`${this.label} was lost: ${asError(error).message}`);
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Runs the attempt in the trace of the caller that enqueued the run. */
  private traced(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
    const { runId, attempt, traceParent } = this.run;
    const attributes = { 'job.id': runId, 'job.type': this.typeName, 'job.attempt': attempt };
    return withTraceParent(traceParent, () =>
      inSpan(`job ${this.typeName}`, { kind: SpanKind.CONSUMER, attributes }, async (span) => {
        const outcome = await work();
        span.setAttribute('job.outcome', outcome);
        return outcome;
      }),
    );
  }

  /** Returns the run to the queue, to be resumed at once. */
  async release(): Promise<void> {
    const { verdict, error } = this.run;
    const { failures, waitingSince } = this;
    await this.requeue({ start: NOW, failures, verdict, error, waitingSince });
  }

  private get label(): string {
    return `${this.job.type.name} ${this.run.runId} (attempt ${this.run.attempt})`;
  }

  private logEnd(outcome: JobOutcome): void {
    const { payload, attempt, createdAt } = this.run;
    const subjects = Object.entries(payload)
      .filter(([name, value]) => name.endsWith('Id') && typeof value === 'string')
      .map(([name, value]) => `, ${name.slice(0, -2)} ${value}`);
    const seconds = ((Date.now() - createdAt.getTime()) / 1_000).toFixed(1);
    this.logger.log(`${this.job.type.name} ${outcome} after ${seconds} s, attempt ${attempt}${subjects.join('')}`);
  }

  private async outcome(): Promise<JobOutcome> {
    const { verdict, error, lostLeases } = this.run;
    if (verdict !== null) return await this.conclude(verdict, new Error(error ?? verdict));
    if (lostLeases > MAX_LOST_LEASES) {
      return await this.conclude(
        'failed',
        new PermanentJobError(`The worker process ended ${lostLeases} times while it ran this job`),
      );
    }
    try {
      await this.job.handler.run(this.run.payload, this.context());
    } catch (thrown) {
      if (!this.completed) return await this.afterFailure(asError(thrown));
      this.logger.warn(`${this.label} threw after it had completed: ${asError(thrown).message}`);
    }
    if (!this.completed) await this.record(() => this.parts.store.finish(this.run, 'succeeded'));
    return this.postponed ? 'postponed' : 'succeeded';
  }

  private async afterFailure(error: Error): Promise<JobOutcome> {
    const reason: unknown = this.abortController.signal.reason;
    if (error instanceof LeaseLostError || reason instanceof LeaseLostError) throw error;
    if (reason instanceof JobCancelledError) return await this.conclude('cancelled', error);
    if (reason instanceof JobShutdownError || error instanceof JobYieldedError) {
      await this.record(() => this.release());
      return 'released';
    }
    const outage = error instanceof PermanentJobError ? undefined : outageOf(error);
    if (outage !== undefined) return await this.waitFor(outage);
    this.logger.warn(`${this.label} failed: ${error.stack ?? error.message}`);
    const failures = this.failures + 1;
    const isFinal = error instanceof PermanentJobError || isUnrecoverable(error);
    if (isFinal || failures > this.job.type.retryLimit) return await this.conclude('failed', userFacingError(error));
    const next = { start: retryDelay(this.job.type, failures), failures, verdict: null, waitingSince: null };
    await this.record(() => this.requeue({ ...next, error: error.message }));
    return 'retried';
  }

  /** Outages do not count as failed attempts, but the wait is limited. */
  private async waitFor(outage: OutageError): Promise<JobOutcome> {
    const waiting = waitingFor(outage, this.waitingSince, this.startedAt, Date.now());
    if (Date.now() - waiting.since.getTime() > this.parts.outageWaitMs)
      return await this.conclude('failed', new OutageTooLongError(outage, waiting));
    if (waiting.since !== this.waitingSince) this.logger.warn(`${this.label}: ${waiting.sentence} ${outage.message}`);
    const { failures } = this;
    await this.record(() =>
      this.parts.transactions.run(async () => {
        await this.requeue({
          start: waiting,
          failures,
          verdict: null,
          error: outage.message,
          waitingSince: waiting.since,
        });
        await this.job.handler.waiting?.(this.run.payload, waiting.sentence, this.run);
      }),
    );
    return 'waiting';
  }

  private async conclude(verdict: JobVerdict, error: Error): Promise<JobOutcome> {
    const { store, transactions } = this.parts;
    const { handler } = this.job;
    try {
      await transactions.run(async () => {
        await store.fence(this.run);
        if (verdict === 'failed') await handler.failed?.(this.run.payload, error, this.run);
        else await handler.cancelled?.(this.run.payload, this.run);
        await store.finish(this.run, verdict, verdict === 'failed' ? error.message : null);
      });
      return verdict;
    } catch (thrown) {
      if (thrown instanceof LeaseLostError) throw thrown;
      this.logger.error(`${this.label} could not record that it was ${verdict}: ${asError(thrown).stack}`);
      const failures = this.failures + 1;
      const next = { start: retryDelay(this.job.type, failures), failures, verdict, waitingSince: null };
      await this.record(() => this.requeue({ ...next, error: error.message }));
      return 'retried';
    }
  }

  private requeue(next: Requeue): Promise<void> {
    return this.parts.store.requeue(this.run, next);
  }

  /** Postgres may be unreachable when a run ends: retry until it is reachable or the run belongs to another attempt. */
  private async record(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await write();
        return;
      } catch (error) {
        if (error instanceof LeaseLostError) throw error;
        if (tries >= RECORD_TRIES && (this.isStopping || outageOf(error) === undefined)) throw error;
        await delay(RECORD_RETRY_MS);
      }
    }
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    try {
      const { alive, cancelRequested } = await this.parts.store.beat(this.run);
      this.lastBeat = Date.now();
      if (!alive) this.abort(new LeaseLostError(this.run.runId, this.run.attempt));
      else if (cancelRequested) this.abort(new JobCancelledError());
    } catch (error) {
      const outage = outageOf(error);
      if (outage === undefined) this.logger.warn(`The heartbeat of ${this.label} failed: ${asError(error).message}`);
      if (Date.now() - this.lastBeat > LEASE_SECONDS * 1_000)
        this.abort(outage ?? new LeaseLostError(this.run.runId, this.run.attempt));
    } finally {
      this.beating = false;
    }
  }

  private context(): JobContext {
    return {
      runId: this.run.runId,
      attempt: this.run.attempt,
      signal: this.abortController.signal,
      checkpoint: () => this.checkpoint as never,
      saveCheckpoint: (value) => this.saveCheckpoint(value),
      commit: (work) => this.commit(work),
      commitProgress: (work) => this.commitProgress(work),
      shouldYield: () => this.parts.store.isAnyDue(this.job.type.name),
      complete: (work) => this.complete(work),
      postpone: (startAfter, work) => this.postpone(startAfter, work),
    };
  }

  private async saveCheckpoint(value: unknown): Promise<void> {
    await this.guarded(() => this.parts.store.saveCheckpoint(this.run, value));
    await this.parts.transactions.afterCommit(() => {
      this.checkpoint = value;
      this.resetFailures();
    });
  }

  private async commit<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return await this.guarded(() =>
      this.parts.transactions.run(async (manager) => {
        await this.parts.store.fence(this.run);
        return await work(manager);
      }),
    );
  }

  private async commitProgress<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const value = await this.commit(async (manager) => {
      await this.parts.store.fenceProgress(this.run);
      return await work(manager);
    });
    this.resetFailures();
    return value;
  }

  private resetFailures(): void {
    this.failures = 0;
    this.waitingSince = null;
  }

  private async complete<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const value = await this.commit(async (manager) => {
      const result = await work(manager);
      await this.parts.store.finish(this.run, 'succeeded');
      return result;
    });
    this.completed = true;
    return value;
  }

  private async postpone<T>(startAfter: Date, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const value = await this.commit(async (manager) => {
      const result = await work(manager);
      await this.requeue({ start: { at: startAfter }, failures: 0, verdict: null, error: null, waitingSince: null });
      return result;
    });
    this.completed = true;
    this.postponed = true;
    return value;
  }

  private async guarded<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof LeaseLostError) this.abort(error);
      throw error;
    }
  }
}
