import { statfs } from 'node:fs/promises';
import { Injectable, Inject, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { JobMetrics, type QueueOfType } from '../jobs/job-metrics';
import { Metrics, type Sample } from './metrics';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import { PoolUsage } from '../database/pool-usage';
import { TraceExport } from './trace-export';
import { OUTAGE_CHANGES, type OutageChange } from '../outage/reachability';
import { OBSERVED_CALLS, type CallKind, type ObservedCall } from './observed-calls';

const CALL_BUCKETS = [0.005, 0.025, 0.1, 0.5, 2, 10, 60];
const STEP_BUCKETS = [0.1, 1, 10, 60, 600, 3600, 21_600];

/** Durations of calls to the store and to model servers, and of the steps of jobs. */
@Injectable()
export class CallMetrics implements OnModuleDestroy {
  private readonly observe: (call: unknown) => void;

  constructor({ registry }: Metrics) {
    const histogram = <Label extends string>(name: string, help: string, label: Label, buckets: number[]) =>
      new Histogram({ name, help, labelNames: [label, 'outcome'], buckets, registers: [registry] });
    const store = histogram(
      'store_call_duration_seconds',
      'Calls to the object store, by operation and outcome',
      'operation',
      CALL_BUCKETS,
    );
    const model = histogram(
      'model_call_duration_seconds',
      'Requests to models, on servers and in compute processes, by model and outcome',
      'model',
      CALL_BUCKETS,
    );
    const step = histogram(
      'job_step_duration_seconds',
      'Steps of jobs in this process, by step and outcome',
      'step',
      STEP_BUCKETS,
    );
    const observers: Readonly<Record<CallKind, (call: ObservedCall) => void>> = {
      store: ({ name: operation, outcome, seconds }) => store.observe({ operation, outcome }, seconds),
      model: ({ name, outcome, seconds }) => model.observe({ model: name, outcome }, seconds),
      step: ({ name, outcome, seconds }) => step.observe({ step: name, outcome }, seconds),
    };
    this.observe = (call) => observers[(call as ObservedCall).kind](call as ObservedCall);
    OBSERVED_CALLS.subscribe(this.observe);
  }

  onModuleDestroy(): void {
    OBSERVED_CALLS.unsubscribe(this.observe);
  }
}

const PARTS: Readonly<Record<string, string>> = { 'the database': 'postgres', 'the object store': 'store' };

/** Outages of Postgres and of the object store, as seen by this process. */
@Injectable()
export class OutageMetrics implements OnModuleDestroy {
  private readonly observe: (change: unknown) => void;

  constructor({ registry }: Metrics) {
    const labelNames = ['part'] as const;
    const registers = [registry];
    const active = new Gauge({
      name: 'outage_active',
      help: '1 while the part is not reachable',
      labelNames,
      registers,
    });
    const total = new Counter({ name: 'outages_total', help: 'Outages that began, by part', labelNames, registers });
    for (const part of Object.values(PARTS)) {
      active.set({ part }, 0);
      total.inc({ part }, 0);
    }
    this.observe = (change) => {
      const { awaited, isOutage } = change as OutageChange;
      const part = PARTS[awaited] ?? 'other';
      active.set({ part }, isOutage ? 1 : 0);
      if (isOutage) total.inc({ part });
    };
    OUTAGE_CHANGES.subscribe(this.observe);
  }

  onModuleDestroy(): void {
    OUTAGE_CHANGES.unsubscribe(this.observe);
  }
}

/** Prometheus metrics of limited resources: connections and disks. */
@Injectable()
export class ResourceGauges {
  constructor(
    metrics: Metrics,
    pool: PoolUsage,
    traces: TraceExport,
    @Inject(CONFIGURATION) { dataDir }: Configuration,
  ) {
    metrics.gauge(
      'postgres_pool_connections',
      'Connections to Postgres, and callers that wait for one',
      ['state'],
      () => {
        const { used, idle, waiting } = pool.connections();
        return Object.entries({ used, idle, waiting }).map(([state, value]) => ({ labels: { state }, value }));
      },
    );
    metrics.gauge('postgres_pool_size', 'The most connections to Postgres of this process', [], () => [
      { labels: {}, value: pool.connections().most },
    ]);
    metrics.gauge('postgres_database_bytes', 'Size of the database in Postgres', [], async () => [
      { labels: {}, value: await pool.databaseBytes() },
    ]);
    metrics.gauge('data_dir_free_bytes', 'Free space on the disk of DATA_DIR', [], async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return [{ labels: {}, value: bavail * bsize }];
    });
    metrics.gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR', [], async () => {
      const { blocks, bsize } = await statfs(dataDir);
      return [{ labels: {}, value: blocks * bsize }];
    });
    metrics.counter('trace_spans_lost_total', 'Spans that the collector of traces refused', [], () => [
      { labels: {}, value: traces.lost },
    ]);
  }
}

/** Prometheus metrics of the job queue. All but the first cover the whole installation, so every process reports the same values. */
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
