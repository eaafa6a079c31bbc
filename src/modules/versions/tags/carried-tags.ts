import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { TagFiles } from './tag-files';
import type { NamedTag } from '../../datasets';
import { TagRepository } from './persistence/tag.repository';

/** The names of a dataset's tags, as stored in snapshots. The dataset must be locked. */
@Injectable()
export class TagNames {
  constructor(private readonly tags: TagRepository) {}

  async list(datasetId: string): Promise<NamedTag[]> {
    const tags = await this.tags.list(datasetId);
    return tags.map(({ id, name, createdBy, createdAt }) => ({
      id,
      name,
      createdBy,
      createdAt: createdAt.toISOString(),
    }));
  }

  async replace(datasetId: string, tags: readonly NamedTag[]): Promise<void> {
    await this.tags.replaceAll(
      datasetId,
      tags.map((tag) => ({ ...tag, datasetId, createdAt: new Date(tag.createdAt) })),
    );
  }
}

/** Copies tag assignments from one table to another, in which the rows have other ordinals. */
@Injectable()
export class CarriedTags {
  constructor(private readonly files: TagFiles) {}

  /**
   * `ordinalOf` has the new ordinal of each old row, -1 if it was removed. Returns a file that nothing points to yet:
   * publish it before a sweep deletes it.
   */
  async rewrite(tagsFile: string | null, ordinalOf: Int32Array): Promise<string | null> {
    if (tagsFile === null) return null;
    let rows = 0;
    await inSlices(ordinalOf.length, (first, last) => {
      for (let old = first; old < last; old++) rows = Math.max(rows, ordinalOf[old]! + 1);
    });
    const carried = new Map<string, Int32Array>();
    for (const [tag, list] of await this.files.read(tagsFile)) {
      const moved = OrdinalSet.none(rows);
      await inSlices(list.length, (first, last) => {
        for (let at = first; at < last; at++) {
          const ordinal = ordinalOf[list[at]!]!;
          if (ordinal >= 0) moved.add(ordinal);
        }
      });
      if (moved.size > 0) carried.set(tag, moved.toArray());
    }
    return this.files.write(carried);
  }
}
