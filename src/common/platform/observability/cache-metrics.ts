import { Injectable } from '@nestjs/common';
import type { CacheUsage } from '../cache/bounded-cache';
import { Metrics, type Sample } from './metrics';

/** Prometheus metrics of the caches in memory; each module adds its own. */
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

  /** Caches of the same name are counted together. */
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
