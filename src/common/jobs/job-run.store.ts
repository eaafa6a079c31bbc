import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../database/transaction-runner';
import { LeaseLostError } from './job-errors';
import type { JobAttempt } from './job-handler';
import type { JobState, JobVerdict } from './job-run.entity';

export const LEASE_SECONDS = 30;

export interface ClaimedRun extends JobAttempt {
  readonly payload: object;
  readonly failures: number;
  readonly lostLeases: number;
  readonly verdict: JobVerdict | null;
  readonly error: string | null;
  readonly checkpoint: unknown;
  readonly waitingSince: Date | null;
  readonly createdAt: Date;
}

export interface Requeue {
  readonly startAfter: Date;
  readonly failures: number;
  readonly verdict: JobVerdict | null;
  readonly error: string | null;
  readonly waitingSince: Date | null;
}

export interface Beat {
  readonly alive: boolean;
  readonly cancelRequested: boolean;
}

const FENCE = `id = $1 AND attempt = $2 AND state = 'running'`;
const EXTEND = `lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
const FORGIVE = `failures = 0, lost_leases = 0, waiting_since = NULL`;
const FREE = `owner = NULL, lease_until = NULL, updated_at = now()`;

/** The rows of `job_run`. Whatever a run writes about itself names its attempt, and is refused once another has begun. */
@Injectable()
export class JobRunStore {
  constructor(private readonly transactions: TransactionRunner) {}

  async claim(ids: readonly string[], owner: string): Promise<ClaimedRun[]> {
    return await this.update<ClaimedRun>(
      `UPDATE job_run SET state = 'running', attempt = attempt + 1, owner = $2, heartbeat_at = now(), updated_at = now(),
         ${EXTEND},
         verdict = CASE WHEN cancel_requested THEN 'cancelled' ELSE verdict END
       WHERE id = ANY($1::uuid[]) AND state = 'queued'
       RETURNING id AS "runId", attempt, payload, failures, lost_leases AS "lostLeases", verdict, error, checkpoint,
         waiting_since AS "waitingSince", created_at AS "createdAt"`,
      [ids, owner],
    );
  }

  async dueTypes(names: readonly string[]): Promise<string[]> {
    const rows = await this.select<{ type: string }>(
      `SELECT DISTINCT type FROM job_run WHERE state = 'queued' AND start_after <= now() AND type = ANY($1)`,
      [names],
    );
    return rows.map(({ type }) => type);
  }

  async isAnyDue(type: string): Promise<boolean> {
    return (await this.dueTypes([type])).length > 0;
  }

  async beat({ runId, attempt }: JobAttempt, progress: number): Promise<Beat> {
    const [row] = await this.update<{ cancelRequested: boolean }>(
      `UPDATE job_run SET heartbeat_at = now(), ${EXTEND}, progress = $3
       WHERE ${FENCE} RETURNING cancel_requested AS "cancelRequested"`,
      [runId, attempt, progress],
    );
    return { alive: row !== undefined, cancelRequested: row?.cancelRequested === true };
  }

  /** Locks the run for the rest of the transaction. */
  async fence(run: JobAttempt): Promise<void> {
    await this.fenced(run, `updated_at = now(), ${EXTEND}`);
  }

  /** As `fence`; what commits with it is not done again, so what went wrong before no longer counts. */
  async advance(run: JobAttempt): Promise<void> {
    await this.fenced(run, `${FORGIVE}, updated_at = now(), ${EXTEND}`);
  }

  async saveCheckpoint(run: JobAttempt, value: unknown): Promise<void> {
    await this.fenced(run, `checkpoint = $3::jsonb, ${FORGIVE}, updated_at = now(), ${EXTEND}`, [
      JSON.stringify(value),
    ]);
  }

  async finish(run: JobAttempt, state: JobState, error: string | null = null): Promise<void> {
    const progress = state === 'succeeded' ? '1' : 'progress';
    await this.fenced(
      run,
      `state = $3, error = $4, finished_at = now(), verdict = NULL, progress = ${progress}, ${FREE}`,
      [state, error],
    );
  }

  async requeue(run: JobAttempt, next: Requeue): Promise<void> {
    const { startAfter, failures, verdict, error, waitingSince } = next;
    await this.fenced(
      run,
      `state = 'queued', start_after = $3, failures = $4, verdict = $5, error = $6, waiting_since = $7, ${FREE}`,
      [startAfter, failures, verdict, error, waitingSince],
    );
  }

  /** Back to the queue: the runs of processes that are gone. */
  async takeBack(everyRun: boolean): Promise<{ runId: string; type: string }[]> {
    return await this.update(
      `UPDATE job_run SET state = 'queued', start_after = now(), lost_leases = lost_leases + 1, ${FREE}
       WHERE id IN (SELECT id FROM job_run WHERE state = 'running' AND ($1 OR lease_until < now())
                    LIMIT 100 FOR UPDATE SKIP LOCKED)
       RETURNING id AS "runId", type`,
      [everyRun],
    );
  }

  async deleteFinished(olderThanDays: number): Promise<void> {
    await this.update(
      `DELETE FROM job_run WHERE id IN (
         SELECT id FROM job_run WHERE finished_at < now() - make_interval(days => $1) LIMIT 1000)`,
      [olderThanDays],
    );
  }

  private async fenced(run: JobAttempt, assignments: string, values: readonly unknown[] = []): Promise<void> {
    const rows = await this.update(`UPDATE job_run SET ${assignments} WHERE ${FENCE} RETURNING id`, [
      run.runId,
      run.attempt,
      ...values,
    ]);
    if (rows.length === 0) throw new LeaseLostError(run.runId, run.attempt);
  }

  private async update<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    const [rows] = await this.transactions.current().query<[Row[], number]>(sql, [...values]);
    return rows;
  }

  private async select<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return await this.transactions.current().query<Row[]>(sql, [...values]);
  }
}
