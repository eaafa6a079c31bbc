import { Injectable } from '@nestjs/common';
import { CacheMetrics } from '../../common/platform/observability/metrics';
import { ExploreAnswerCache } from './explore/explore.service';
import { MapViews } from './map/map.service';

/** Metrics of the caches of responses. Those of versions are separate. */
@Injectable()
export class SearchCacheMetrics {
  constructor(metrics: CacheMetrics, answers: ExploreAnswerCache, { colours, matches }: MapViews) {
    metrics.add('answers', () => answers.usage);
    for (const cache of [colours, matches]) metrics.add('map', () => cache.usage);
  }
}
