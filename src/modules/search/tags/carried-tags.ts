import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../domain/in-slices';
import { TagFiles } from './tag-files';

/** Takes the assignments of a table over to another one that has its rows in other places. */
@Injectable()
export class CarriedTags {
  constructor(private readonly files: TagFiles) {}

  /**
   * `ordinalOf` says the new place of each old row, -1 of one that is no more. Answers a file that nothing points at yet:
   * until something does, a sweep may take it.
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
