import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { JobHandlerRegistry } from './job-handler';
import { JobRunEntity } from './job-run.store';

export type JobOutcome =
  'succeeded' | 'failed' | 'cancelled' | 'retried' | 'waiting' | 'postponed' | 'released' | 'lost';

export interface JobCount {
  readonly type: string;
  readonly outcome: JobOutcome;
  readonly count: number;
}

export interface QueueOfType {
  readonly type: string;
  /** The number of due runs that no worker has claimed. */
  readonly waiting: number;
  readonly running: number;
  /** The number of runs that wait for the end of an outage. */
  readonly held: number;
  /** The waiting time of the oldest due run; 0 if none waits. */
  readonly oldestWaitingSeconds: number;
}

const EMPTY = { waiting: 0, running: 0, held: 0, oldestWaitingSeconds: 0 };

/** Counts the attempts of this process, and measures the queue of the whole installation. */
@Injectable()
export class JobMetrics {
  private readonly outcomes = new Map<string, JobCount>();

  private reading: Promise<readonly QueueOfType[]> | undefined;

  constructor(
    @InjectRepository(JobRunEntity) private readonly runs: Repository<JobRunEntity>,
    private readonly registry: JobHandlerRegistry,
  ) {}

  record(type: string, outcome: JobOutcome): void {
    const key = `${type} ${outcome}`;
    this.outcomes.set(key, { type, outcome, count: (this.outcomes.get(key)?.count ?? 0) + 1 });
  }

  counts(): readonly JobCount[] {
    return [...this.outcomes.values()];
  }

  /** The queues of all types that have unfinished runs or are known to this program. Concurrent calls share one query. */
  queues(): Promise<readonly QueueOfType[]> {
    this.reading ??= this.readQueues().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readQueues(): Promise<readonly QueueOfType[]> {
    const rows = await this.runs.query<QueueOfType[]>(
      `SELECT type,
         count(*) FILTER (WHERE state = 'queued' AND start_after <= now())::int AS waiting,
         count(*) FILTER (WHERE state = 'running')::int AS running,
         count(*) FILTER (WHERE state = 'queued' AND waiting_since IS NOT NULL)::int AS held,
         coalesce(extract(epoch FROM now() - min(start_after)
           FILTER (WHERE state = 'queued' AND start_after <= now())), 0)::float8 AS "oldestWaitingSeconds"
       FROM job_run WHERE finished_at IS NULL GROUP BY type`,
    );
    const found = new Map(rows.map((row) => [row.type, row]));
    const { jobs } = this.registry;
    const known = [...jobs.keys()].map((name) => found.get(name) ?? { type: name, ...EMPTY });
    return [...known, ...rows.filter(({ type }) => !jobs.has(type))];
  }
}
