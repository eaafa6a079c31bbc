import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CacheUsage } from '../cache/bounded-cache';

export interface Sample<Label extends string> {
  readonly labels: Record<Label, string>;
  readonly value: number;
}

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

  private readonly unreadable = new Counter({
    name: 'metrics_unreadable_total',
    help: 'Scrapes in which a metric could not be read, by metric',
    labelNames: ['metric'] as const,
    registers: [this.registry],
  });

  constructor() {
    // Includes event loop lag and resident memory.
    collectDefaultMetrics({ register: this.registry });
  }

  /** A gauge whose value is read at each scrape; omitted while it cannot be read, for example during an outage of Postgres. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>,
  ): void {
    const { noteUnreadable } = this;
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const { labels, value } of await readOrNote(name, read, noteUnreadable)) this.set(labels, value);
      },
    });
  }

  /** A counter that is kept elsewhere and read at each scrape. */
  counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly Sample<Label>[],
  ): void {
    new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { labels, value } of read()) this.inc(labels, value);
      },
    });
  }

  private readonly noteUnreadable = (metric: string): void => this.unreadable.inc({ metric });
}

async function readOrNote<Label extends string>(
  name: string,
  read: () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>,
  note: (metric: string) => void,
): Promise<readonly Sample<Label>[]> {
  try {
    return await read();
  } catch {
    note(name);
    return [];
  }
}

/** Prometheus metrics of in-memory caches; each module adds its own caches. */
@Injectable()
export class CacheMetrics {
  private readonly caches = new Map<string, (() => CacheUsage)[]>();

  constructor(metrics: Metrics) {
    metrics.counter('cache_hits_total', 'Reads that found their value in the cache', ['cache'], () =>
      this.samples(({ hits }) => hits),
    );
    metrics.counter('cache_misses_total', 'Reads that had to load their value', ['cache'], () =>
      this.samples(({ misses }) => misses),
    );
    metrics.gauge('cache_bytes', 'Memory of what is cached', ['cache'], () => this.samples(({ bytes }) => bytes));
  }

  /** Caches with the same name are counted together. */
  add(name: string, usage: () => CacheUsage): void {
    this.caches.set(name, [...(this.caches.get(name) ?? []), usage]);
  }

  private samples(valueOf: (usage: CacheUsage) => number): Sample<'cache'>[] {
    return [...this.caches].map(([cache, usages]) => ({
      labels: { cache },
      value: usages.reduce((sum, usage) => sum + valueOf(usage()), 0),
    }));
  }
}
