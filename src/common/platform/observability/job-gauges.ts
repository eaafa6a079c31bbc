import { Injectable } from '@nestjs/common';
import { JobMetrics, type QueueOfType } from '../jobs/job-metrics';
import { Metrics, type Sample } from './metrics';

/** Prometheus metrics of the job queue. All but the first are of the whole installation: every process reports the same. */
@Injectable()
export class JobGauges {
  constructor(metrics: Metrics, jobs: JobMetrics) {
    metrics.counter(
      'jobs_ended_total',
      'Attempts of jobs that ended in this process, by type and outcome',
      ['type', 'outcome'],
      () => jobs.counts().map(({ type, outcome, count }) => ({ labels: { type, outcome }, value: count })),
    );
    metrics.gauge('jobs_oldest_waiting_seconds', 'How long the oldest job that is due has waited', [], async () => {
      const ages = (await jobs.queues()).map(({ oldestWaitingSeconds }) => oldestWaitingSeconds);
      return [{ labels: {}, value: Math.max(0, ...ages) }];
    });
    const byType = (name: string, help: string, valueOf: (queue: QueueOfType) => number): void =>
      metrics.gauge(name, help, ['type'], async () =>
        (await jobs.queues()).map((queue): Sample<'type'> => ({ labels: { type: queue.type }, value: valueOf(queue) })),
      );
    byType(
      'job_queue_age_seconds',
      'How long the oldest job that is due has waited, by type',
      ({ oldestWaitingSeconds }) => oldestWaitingSeconds,
    );
    byType('job_queue_length', 'Jobs that are due and wait for a worker, by type', ({ waiting }) => waiting);
    byType('jobs_running', 'Running jobs, by type', ({ running }) => running);
    byType('jobs_held_by_outage', 'Jobs that wait for the end of an outage, by type', ({ held }) => held);
  }
}
