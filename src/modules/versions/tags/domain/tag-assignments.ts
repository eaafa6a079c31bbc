import { firstAtOrAbove } from '../../domain/entity-type';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import type { TagLists } from './tag-lists';

const NO_ROWS = new Int32Array();

/** Rows by tag and tags by row, of one table version. */
export class TagAssignments {
  private constructor(
    readonly lists: TagLists,
    /** Rows with any tag, ascending. */
    private readonly rows: Int32Array,
    /** The tags of rows[i], as indices into the ids, are at starts[i] to starts[i + 1]. */
    private readonly starts: Int32Array,
    private readonly tags: Int32Array,
  ) {
    this.tagIds = [...lists.keys()];
  }

  static readonly none = new TagAssignments(new Map(), NO_ROWS, new Int32Array(1), NO_ROWS);

  readonly tagIds: readonly string[];

  static async of(lists: TagLists): Promise<TagAssignments> {
    const total = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
    const end = [...lists.values()].reduce((most, list) => Math.max(most, (list.at(-1) ?? -1) + 1), 0);
    const degrees = new Int32Array(end);
    await eachAssignment(lists, (row) => degrees[row]!++);
    const places = new Int32Array(end);
    const rows = new Int32Array(Math.min(total, end));
    const starts = new Int32Array(rows.length + 1);
    let count = 0;
    await inSlices(end, (first, last) => {
      for (let row = first; row < last; row++) {
        if (degrees[row] === 0) continue;
        rows[count] = row;
        starts[count + 1] = starts[count]! + degrees[row]!;
        places[row] = count++;
      }
    });
    const next = starts.slice(0, count);
    const tags = new Int32Array(total);
    await eachAssignment(lists, (row, tag) => (tags[next[places[row]!]!++] = tag));
    return new TagAssignments(lists, rows.slice(0, count), starts.slice(0, count + 1), tags);
  }

  get bytes(): number {
    const lists = [...this.lists].reduce((sum, [id, list]) => sum + list.byteLength + 2 * id.length + 200, 0);
    return lists + this.rows.byteLength + this.starts.byteLength + this.tags.byteLength;
  }

  /** Ascending; empty for a tag without rows. */
  with(tagId: string): Int32Array {
    return this.lists.get(tagId) ?? NO_ROWS;
  }

  /** Ascending. */
  tagged(): Int32Array {
    return this.rows;
  }

  /** Ids of the tags of one row. */
  of(row: number): string[] {
    const place = firstAtOrAbove(this.rows, row);
    if (this.rows[place] !== row) return [];
    return Array.from(this.tags.subarray(this.starts[place], this.starts[place + 1]), (tag) => this.tagIds[tag]!);
  }
}

async function eachAssignment(lists: TagLists, visit: (row: number, tag: number) => void): Promise<void> {
  for (const [tag, list] of [...lists.values()].entries()) {
    await inSlices(list.length, (first, last) => {
      for (let i = first; i < last; i++) visit(list[i]!, tag);
    });
  }
}
