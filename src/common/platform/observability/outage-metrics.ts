import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { OUTAGE_CHANGES, type OutageChange } from '../outage/outage-changes';
import { Metrics } from './metrics';

const PARTS: Readonly<Record<string, string>> = { 'the database': 'postgres', 'the object store': 'store' };

/** Outages of Postgres and of the object store, as this process sees them. */
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
