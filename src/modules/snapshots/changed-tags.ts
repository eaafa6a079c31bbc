import { createHash } from 'node:crypto';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import type { TagAssignments } from '../versions';

interface TagsOfBoth {
  readonly before: TagAssignments;
  readonly after: TagAssignments;
  /** The new ordinal of each old row, -1 if removed; undefined if all ordinals are unchanged. */
  readonly places: Int32Array | undefined;
  readonly rowsAfter: number;
}

/** Rows whose tags changed. May include new rows, which the caller excludes. */
export async function changedTags({ before, after, places, rowsAfter }: TagsOfBoth): Promise<OrdinalSet> {
  // Add a hash of each tag for the rows that had it, subtract it for those that have it; a non-zero sum is a difference.
  const marks = new Int32Array(2 * rowsAfter);
  await eachAssignment(before, (row, [one, other]) => {
    const place = places === undefined ? row : places[row]!;
    if (place < 0) return;
    marks[2 * place]! += one;
    marks[2 * place + 1]! += other;
  });
  await eachAssignment(after, (row, [one, other]) => {
    marks[2 * row]! -= one;
    marks[2 * row + 1]! -= other;
  });
  const changed = OrdinalSet.none(rowsAfter);
  await inSlices(rowsAfter, (start, end) => {
    for (let row = start; row < end; row++) if (marks[2 * row] !== 0 || marks[2 * row + 1] !== 0) changed.add(row);
  });
  return changed;
}

type Mark = readonly [number, number];

async function eachAssignment(tags: TagAssignments, visit: (row: number, mark: Mark) => void): Promise<void> {
  for (const [id, rows] of tags.lists) {
    const mark = markOf(id);
    await inSlices(rows.length, (start, end) => {
      for (let i = start; i < end; i++) visit(rows[i]!, mark);
    });
  }
}

function markOf(tagId: string): Mark {
  const digest = createHash('sha256').update(tagId).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
