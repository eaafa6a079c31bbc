import { Injectable } from '@nestjs/common';
import { CacheMetrics } from '../../common/platform/observability/metrics';
import { ExploreAnswerCache } from './explore/explore.service';
import { MapViews } from './map/map.service';

/** The caches of answers, beside those of versions. */
@Injectable()
export class SearchCacheMetrics {
  constructor(metrics: CacheMetrics, answers: ExploreAnswerCache, { colours, matches }: MapViews) {
    metrics.add('answers', () => answers.usage);
    for (const cache of [colours, matches]) metrics.add('map', () => cache.usage);
  }
}
