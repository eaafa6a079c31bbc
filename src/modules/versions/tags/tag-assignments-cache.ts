import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { DatasetPointer } from '../../datasets';
import { TagAssignments } from './domain/tag-assignments';
import type { TagFiles } from './tag-files';

/** LRU cache of tag assignments, within a budget of bytes that all datasets share. */
export class TagAssignmentsCache {
  private readonly versions: BoundedCache<TagAssignments>;

  constructor(
    private readonly files: Pick<TagFiles, 'read'>,
    budgetBytes: number,
  ) {
    this.versions = new BoundedCache(budgetBytes, (assignments) => assignments.bytes, { keepsLast: true });
  }

  get bytes(): number {
    return this.versions.weight;
  }

  get usage(): CacheUsage {
    return this.versions.usage;
  }

  open({ tagsFile }: Pick<DatasetPointer, 'tagsFile'>): Promise<TagAssignments> {
    if (tagsFile === null) return Promise.resolve(TagAssignments.none);
    return this.versions.getOrLoad(tagsFile, async () => TagAssignments.of(await this.files.read(tagsFile)));
  }
}
