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

/** Counts the attempts of this process, and measures the queue of the whole installation. */
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

  /** The wait of the oldest due job in seconds; 0 if none waits. */
  async oldestWaitingSeconds(): Promise<number> {
    const [row] = await this.runs.query<{ seconds: number }[]>(
      `SELECT coalesce(extract(epoch FROM now() - min(start_after)), 0)::float8 AS seconds
       FROM job_run WHERE state = 'queued' AND start_after <= now()`,
    );
    return row!.seconds;
  }
}
