import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { versionName } from '../../common/engine/media-table/table-version';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../common/platform/config/memory-sizes';
import { CacheMetrics } from '../../common/platform/observability/metrics';
import { loadBatches, type RowBatches } from '../versions';

/** The columns of keep rules, besides those that searches have in memory. */
export interface OwnKeepColumns extends RowBatches {
  readonly sharpness: Float32Array;
  /** In bytes. */
  readonly pathLength: Int32Array;
}

const BYTES_PER_ROW = 12;

@Injectable()
export class KeepColumnsCache {
  private readonly kept: BoundedCache<OwnKeepColumns>;

  constructor(@Inject(CONFIGURATION) memory: ExploreMemory, metrics: CacheMetrics) {
    this.kept = new BoundedCache(bytesFor('keepers', memory), ({ batch }) => batch.length * BYTES_PER_ROW, {
      keepsLast: true,
    });
    metrics.add('keepers', () => this.kept.usage);
  }

  open(table: MediaTable): Promise<OwnKeepColumns> {
    return this.kept.getOrLoad(versionName(table.at), () => load(table));
  }
}

async function load(table: MediaTable): Promise<OwnKeepColumns> {
  const sharpness = new Float32Array(table.rows);
  for await (const { first, columns } of table.readColumns(['sharpness']))
    sharpness.set(columns['sharpness'] as Float32Array, first);
  const pathLength = new Int32Array(table.rows);
  for await (const { first, count, bounds } of table.readTexts('path'))
    for (let i = 0; i < count; i++) pathLength[first + i] = bounds[i + 1]! - bounds[i]!;
  return { sharpness, pathLength, ...(await loadBatches(table)) };
}
