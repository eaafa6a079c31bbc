import { Injectable } from '@nestjs/common';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { CacheMetrics } from '../../common/platform/observability/cache-metrics';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import { ExploreAnswerCache } from './explore-answer-cache';
import { ExploreIndexCache } from './explore-index-cache';
import { SearchParts } from './search-parts';
import { TagAssignmentsCache } from './tags/tag-assignments-cache';

/** Names the caches of searches in metrics as `memory-shares.ts` does. */
@Injectable()
export class SearchCacheMetrics {
  constructor(
    metrics: CacheMetrics,
    indexes: ExploreIndexCache,
    answers: ExploreAnswerCache,
    duplicates: DuplicateGroupsCache,
    tags: TagAssignmentsCache,
    vectors: VectorCache,
    parts: SearchParts,
  ) {
    metrics.add('indexes', () => indexes.usage);
    metrics.add('answers', () => answers.usage);
    metrics.add('duplicates', () => duplicates.usage);
    metrics.add('tags', () => tags.usage);
    metrics.add('vectors', () => vectors.usage);
    for (const name of ['cards', 'measures', 'folders', 'metadata', 'map'] as const)
      metrics.add(name, () => parts.usages[name]);
  }
}
