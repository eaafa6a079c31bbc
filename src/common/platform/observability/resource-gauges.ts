import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import { PoolUsage } from '../database/pool-usage';
import { Metrics } from './metrics';
import { TraceExport } from './trace-export';

/** Prometheus metrics of resources that can run out: connections and disks. */
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
