import { Injectable } from '@nestjs/common';
import { JobMetrics } from '../jobs/job-metrics';
import { Metrics } from './metrics';

/** Prometheus metrics of the job queue. */
@Injectable()
export class JobGauges {
  constructor(metrics: Metrics, jobs: JobMetrics) {
    metrics.gauge(
      'jobs_ended',
      'Attempts of jobs that ended in this process, by type and outcome',
      ['type', 'outcome'],
      () =>
        Promise.resolve(jobs.counts().map(({ type, outcome, count }) => ({ labels: { type, outcome }, value: count }))),
    );
    metrics.gauge('jobs_oldest_waiting_seconds', 'How long the oldest job that is due has waited', [], async () => [
      { labels: {}, value: await jobs.oldestWaitingSeconds() },
    ]);
  }
}
