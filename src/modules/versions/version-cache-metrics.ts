import { Injectable } from '@nestjs/common';
import { CacheMetrics } from '../../common/platform/observability/metrics';
import { VersionCaches } from './version-caches';

/** Names the caches in metrics as `EXPLORE_SHARES` does. */
@Injectable()
export class VersionCacheMetrics {
  constructor(metrics: CacheMetrics, caches: VersionCaches) {
    for (const name of [
      'indexes',
      'cards',
      'measures',
      'folders',
      'metadata',
      'tags',
      'duplicates',
      'vectors',
    ] as const)
      metrics.add(name, () => caches[name].usage);
    for (const name of ['places', 'maps'] as const) metrics.add('map', () => caches[name].usage);
  }
}
