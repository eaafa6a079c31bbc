import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The Prometheus metrics of this process. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.015, 0.06, 0.25, 1, 5, 30],
    registers: [this.registry],
  });

  readonly quarantined = new Counter({
    name: 'media_quarantined_total',
    help: 'Media put into quarantine, by reason',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });

  readonly indexedFiles = new Counter({
    name: 'media_indexed_total',
    help: 'Media files analysed by indexing',
    registers: [this.registry],
  });

  readonly skippedFiles = new Counter({
    name: 'media_skipped_total',
    help: 'Added media files that the dataset had already',
    registers: [this.registry],
  });

  constructor() {
    // Includes event loop lag and resident memory.
    collectDefaultMetrics({ register: this.registry });
  }

  /** A value that is read at each scrape. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<{ labels: Record<Label, string>; value: number }[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { labels, value } of await read()) this.set(labels, value);
      },
    });
  }
}
