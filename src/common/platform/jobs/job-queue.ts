import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, type EntityManager } from 'typeorm';
import { after } from '../database/database-clock';
import { TransactionRunner } from '../database/transaction-runner';
import { traceParent } from '../observability/spans';
import { JobDeclarationError, JobHandlerRegistry } from './job-handler';
import { JobNotifications, type EndWatch } from './job-notifications';
import { JobRunEntity, type JobState } from './job-run.store';
import type { JobType } from './job-type';

export interface EnqueueOptions {
  /** At most one unfinished run of this type has this key. If the existing run is due later, it is moved forward. */
  readonly singletonKey?: string;
  readonly delayMs?: number;
}

export interface JobRunSummary {
  readonly id: string;
  readonly type: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly error: string | null;
}

@Injectable()
export class JobQueue {
  constructor(
    @InjectRepository(JobRunEntity) private readonly runs: Repository<JobRunEntity>,
    private readonly transactions: TransactionRunner,
    private readonly notifications: JobNotifications,
    private readonly registry: JobHandlerRegistry,
  ) {}

  /** Joins the current transaction. Returns the id of the new run, or of the unfinished run with the same key. */
  async enqueue<Payload extends object>(
    type: JobType<Payload>,
    payload: Payload,
    options: EnqueueOptions = {},
  ): Promise<string> {
    if (!this.registry.jobs.has(type.name)) throw new JobDeclarationError(`The job ${type.name} has no handler`);
    return await this.transactions.run(async (manager) => {
      for (;;) {
        const id = await this.insert(manager, type, payload, options);
        if (id !== null) {
          await this.transactions.afterCommit(() => this.notifications.enqueued());
          return id;
        }
        const present = await this.present(manager, type, options);
        if (present !== undefined) return present;
      }
    });
  }

  /** Returns the keys whose run is running or will start within the given time, so that enqueueing has no effect. */
  async keysAtWork(type: JobType, singletonKeys: readonly string[], withinMs: number): Promise<Set<string>> {
    const rows = await this.runs.query<{ key: string }[]>(
      `SELECT singleton_key AS key FROM job_run
       WHERE type = $1 AND singleton_key = ANY($2) AND finished_at IS NULL AND (state = 'running' OR start_after <= ${after('$3')})`,
      [type.name, singletonKeys, withinMs],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Returns whether there was an unfinished run to cancel. The handler's `cancelled` is always called, even for a run that has not started. */
  async cancel(runId: string): Promise<boolean> {
    return await this.transactions.run(async (manager) => {
      const [run] = await manager.query<{ state: JobState; verdict: string | null }[]>(
        'SELECT state, verdict FROM job_run WHERE id = $1 FOR UPDATE',
        [runId],
      );
      if (run === undefined || run.verdict !== null || (run.state !== 'queued' && run.state !== 'running'))
        return false;
      await manager.query(
        `UPDATE job_run SET cancel_requested = true, updated_at = now(),
           start_after = CASE WHEN state = 'queued' THEN now() ELSE start_after END
         WHERE id = $1`,
        [runId],
      );
      await this.transactions.afterCommit(() => {
        this.notifications.cancelled(runId);
        this.notifications.enqueued();
      });
      return true;
    });
  }

  /** The number of runs of the same type that are running or ahead, for each due run that waits for a free place. */
  async countAhead(runIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.runs.query<{ id: string; ahead: number }[]>(
      `SELECT waiting.id, count(other.id)::int AS ahead FROM job_run waiting
       LEFT JOIN job_run other ON other.type = waiting.type AND other.id <> waiting.id AND other.finished_at IS NULL
         AND (other.state = 'running' OR (other.start_after <= now() AND other.created_at < waiting.created_at))
       WHERE waiting.id = ANY($1::uuid[]) AND waiting.state = 'queued' AND waiting.start_after <= now()
       GROUP BY waiting.id`,
      [runIds],
    );
    return new Map(rows.map(({ id, ahead }) => [id, ahead]));
  }

  /** The checkpoint of an unfinished run. */
  async checkpointOf<T>(runId: string): Promise<T | undefined> {
    const rows = await this.runs.query<{ checkpoint: T | null }[]>(
      'SELECT checkpoint FROM job_run WHERE id = $1 AND finished_at IS NULL',
      [runId],
    );
    return rows[0]?.checkpoint ?? undefined;
  }

  /** Returns whether the run is unfinished. If so, it cannot finish before the current transaction ends. */
  async holdUnfinished(runId: string): Promise<boolean> {
    const rows = await this.runs.query<unknown[]>(
      'SELECT 1 FROM job_run WHERE id = $1 AND finished_at IS NULL FOR SHARE',
      [runId],
    );
    return rows.length > 0;
  }

  /** The caller must call `stop` at the end. */
  watchEnds(isAwaited: (runId: string) => boolean): EndWatch {
    return this.notifications.watchEnds(isAwaited);
  }

  async statesOf(runIds: readonly string[]): Promise<Map<string, Pick<JobRunSummary, 'state' | 'error'>>> {
    const runs = await this.runs.find({
      select: { id: true, state: true, error: true },
      where: { id: In([...runIds]) },
    });
    return new Map(runs.map(({ id, state, error }) => [id, { state, error }]));
  }

  async find(runId: string): Promise<JobRunSummary | null> {
    return await this.runs.findOne({
      select: { id: true, type: true, state: true, attempt: true, error: true },
      where: { id: runId },
    });
  }

  /** The id of the unfinished run with the key. */
  private async present(
    manager: EntityManager,
    type: JobType,
    { singletonKey, delayMs = 0 }: EnqueueOptions,
  ): Promise<string | undefined> {
    const [[hurried]] = await manager.query<[{ id: string }[], number]>(
      `UPDATE job_run SET start_after = ${after('$3')}, updated_at = now()
       WHERE type = $1 AND singleton_key = $2 AND state = 'queued' AND start_after > ${after('$3')} RETURNING id`,
      [type.name, singletonKey, delayMs],
    );
    if (hurried !== undefined) {
      await this.transactions.afterCommit(() => this.notifications.enqueued());
      return hurried.id;
    }
    const [run] = await manager.query<{ id: string }[]>(
      'SELECT id FROM job_run WHERE type = $1 AND singleton_key = $2 AND finished_at IS NULL',
      [type.name, singletonKey],
    );
    return run?.id;
  }

  private async insert(
    manager: EntityManager,
    type: JobType,
    payload: object,
    { singletonKey, delayMs = 0 }: EnqueueOptions,
  ): Promise<string | null> {
    const rows = await manager.query<{ id: string }[]>(
      `INSERT INTO job_run (id, type, payload, state, singleton_key, attempt, failures, lost_leases, cancel_requested,
         start_after, trace_parent, created_at, updated_at)
       VALUES ($1, $2, $3, 'queued', $4, 0, 0, 0, false, ${after('$5')}, $6, now(), now())
       ON CONFLICT (type, singleton_key) WHERE finished_at IS NULL DO NOTHING RETURNING id`,
      [randomUUID(), type.name, JSON.stringify(payload), singletonKey ?? null, delayMs, traceParent()],
    );
    return rows[0]?.id ?? null;
  }
}
