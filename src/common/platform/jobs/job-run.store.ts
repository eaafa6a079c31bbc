import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { after } from '../database/database-clock';
import { LeaseLostError } from './job-errors';
import type { JobAttempt } from './job-handler';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
export type JobVerdict = 'failed' | 'cancelled';

@Entity({ name: 'job_run' })
@Index(['type', 'singletonKey'], { unique: true, where: '(finished_at IS NULL)' })
@Index(['type', 'state', 'startAfter'])
@Index(['leaseUntil'])
@Index(['finishedAt'])
export class JobRunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  type!: string;

  @Column('jsonb')
  payload!: object;

  @Column('text')
  state!: JobState;

  @Column('text', { nullable: true })
  singletonKey!: string | null;

  @Column('integer')
  attempt!: number;

  /** Consecutive failed attempts without progress. */
  @Column('integer')
  failures!: number;

  /** Consecutive attempts without progress whose process ended. */
  @Column('integer')
  lostLeases!: number;

  /** The outcome, set before it is reported to the handler. */
  @Column('text', { nullable: true })
  verdict!: JobVerdict | null;

  @Column('boolean')
  cancelRequested!: boolean;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('jsonb', { nullable: true })
  checkpoint!: unknown;

  @Column('text', { nullable: true })
  owner!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  heartbeatAt!: Date | null;

  @Column('timestamptz')
  startAfter!: Date;

  /** The start of the outage for which the run waits. */
  @Column('timestamptz', { nullable: true })
  waitingSince!: Date | null;

  /** The span that enqueued the run, in the format of the header `traceparent`. */
  @Column('text', { nullable: true })
  traceParent!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}

export const LEASE_SECONDS = 30;

export interface ClaimedRun extends JobAttempt {
  readonly type: string;
  readonly payload: object;
  readonly failures: number;
  readonly lostLeases: number;
  readonly verdict: JobVerdict | null;
  readonly error: string | null;
  readonly checkpoint: unknown;
  readonly waitingSince: Date | null;
  readonly traceParent: string | null;
  readonly createdAt: Date;
}

export interface Requeue {
  /** A time of the database clock, or a delay from now. */
  readonly start: { readonly at: Date } | { readonly delayMs: number };
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
const RESET_FAILURES = `failures = 0, lost_leases = 0, waiting_since = NULL`;
const WITHOUT_LEASE = `owner = NULL, lease_until = NULL, updated_at = now()`;

/** Access to `job_run`. Every write of a run gives its attempt, and is rejected once another attempt has begun. */
@Injectable()
export class JobRunStore {
  constructor(@InjectRepository(JobRunEntity) private readonly runs: Repository<JobRunEntity>) {}

  /** Claims due runs, up to the free places of each type. Safe with any number of concurrent workers. */
  async claim(places: ReadonlyMap<string, number>, owner: string): Promise<ClaimedRun[]> {
    // New runs take precedence over runs that have yielded.
    return await this.update<ClaimedRun>(
      `WITH due AS MATERIALIZED (
         SELECT run.id FROM unnest($1::text[], $2::int[]) AS place (type, free)
         CROSS JOIN LATERAL (
           SELECT id FROM job_run WHERE type = place.type AND state = 'queued' AND start_after <= now()
           ORDER BY attempt > 0, start_after LIMIT place.free FOR UPDATE SKIP LOCKED) AS run)
       UPDATE job_run SET state = 'running', attempt = attempt + 1, owner = $3, heartbeat_at = now(), updated_at = now(),
         ${EXTEND},
         verdict = CASE WHEN cancel_requested THEN 'cancelled' ELSE verdict END
       FROM due WHERE job_run.id = due.id
       RETURNING job_run.id AS "runId", type, attempt, payload, failures, lost_leases AS "lostLeases", verdict, error,
         checkpoint, waiting_since AS "waitingSince", trace_parent AS "traceParent", created_at AS "createdAt"`,
      [[...places.keys()], [...places.values()], owner],
    );
  }

  async isAnyDue(type: string): Promise<boolean> {
    const rows = await this.runs.query<unknown[]>(
      `SELECT 1 FROM job_run WHERE type = $1 AND state = 'queued' AND start_after <= now() LIMIT 1`,
      [type],
    );
    return rows.length > 0;
  }

  async beat({ runId, attempt }: JobAttempt): Promise<Beat> {
    const [row] = await this.update<{ cancelRequested: boolean }>(
      `UPDATE job_run SET heartbeat_at = now(), ${EXTEND}
       WHERE ${FENCE} RETURNING cancel_requested AS "cancelRequested"`,
      [runId, attempt],
    );
    return { alive: row !== undefined, cancelRequested: row?.cancelRequested === true };
  }

  /** Locks the run for the rest of the transaction. */
  async fence(run: JobAttempt): Promise<void> {
    await this.fenced(run, `updated_at = now(), ${EXTEND}`);
  }

  /** Like `fence`, and resets the failures, because the work that commits with it is not repeated. */
  async fenceProgress(run: JobAttempt): Promise<void> {
    await this.fenced(run, `${RESET_FAILURES}, updated_at = now(), ${EXTEND}`);
  }

  async saveCheckpoint(run: JobAttempt, value: unknown): Promise<void> {
    await this.fenced(run, `checkpoint = $3::jsonb, ${RESET_FAILURES}, updated_at = now(), ${EXTEND}`, [
      JSON.stringify(value),
    ]);
  }

  async finish(run: JobAttempt, state: JobState, error: string | null = null): Promise<void> {
    await this.fenced(run, `state = $3, error = $4, finished_at = now(), verdict = NULL, ${WITHOUT_LEASE}`, [
      state,
      error,
    ]);
  }

  async requeue(run: JobAttempt, next: Requeue): Promise<void> {
    const { start, failures, verdict, error, waitingSince } = next;
    const [time, value] = 'at' in start ? ['$3', start.at] : [after('$3'), start.delayMs];
    await this.fenced(
      run,
      `state = 'queued', start_after = ${time}, failures = $4, verdict = $5, error = $6, waiting_since = $7, ${WITHOUT_LEASE}`,
      [value, failures, verdict, error, waitingSince],
    );
  }

  /** Requeues the runs whose lease has expired, except for those that the caller executes. Returns their number. */
  async reclaim(everyRun: boolean, executed: readonly string[]): Promise<number> {
    const rows = await this.update(
      `UPDATE job_run SET state = 'queued', start_after = now(), lost_leases = lost_leases + 1, ${WITHOUT_LEASE}
       WHERE id IN (SELECT id FROM job_run
                    WHERE state = 'running' AND ($1 OR lease_until < now()) AND id <> ALL($2::uuid[])
                    FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [everyRun, executed],
    );
    return rows.length;
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
    const [rows] = await this.runs.query<[Row[], number]>(sql, [...values]);
    return rows;
  }
}
