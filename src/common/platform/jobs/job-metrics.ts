import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { JobRunEntity } from './job-run.entity';

export type JobOutcome =
  'succeeded' | 'failed' | 'cancelled' | 'retried' | 'waiting' | 'postponed' | 'released' | 'lost';

export interface JobCount {
  readonly type: string;
  readonly outcome: JobOutcome;
  readonly count: number;
}

/** What this process has seen of its attempts, and what the whole installation has waiting. */
@Injectable()
export class JobMetrics {
  private readonly outcomes = new Map<string, JobCount>();

  constructor(@InjectRepository(JobRunEntity) private readonly runs: Repository<JobRunEntity>) {}

  record(type: string, outcome: JobOutcome): void {
    const key = `${type} ${outcome}`;
    this.outcomes.set(key, { type, outcome, count: (this.outcomes.get(key)?.count ?? 0) + 1 });
  }

  counts(): readonly JobCount[] {
    return [...this.outcomes.values()];
  }

  /** How long the oldest job that is due has waited, in seconds; 0 where none waits. */
  async oldestWaitingSeconds(): Promise<number> {
    const [row] = await this.runs.query<{ seconds: number }[]>(
      `SELECT coalesce(extract(epoch FROM now() - min(start_after)), 0)::float8 AS seconds
       FROM job_run WHERE state = 'queued' AND start_after <= now()`,
    );
    return row!.seconds;
  }
}
