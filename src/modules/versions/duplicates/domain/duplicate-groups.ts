import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import { GROUP_DOUBTS, type GroupDoubt } from './group-doubts';
import { ValidationFailedError } from '../../../../common/platform/http/zod-validation.pipe';
import { LEAST_SIMILARITY } from '../../../../common/engine/similarity/near-duplicates';

export const NOT_KEPT = `Near duplicates are stored from a similarity of ${LEAST_SIMILARITY} up. Use a value from ${LEAST_SIMILARITY} to 1.`;

/** Ids of groups contain the similarity in billionths; finer differences are ignored. */
const UNITS = 1e9;

export const NO_GROUP = -1;

/** Groups of near duplicates at one similarity. A row is in at most one group; each group has a centre. */
export class DuplicateGroups {
  private constructor(
    /** By row; NO_GROUP for rows without one. */
    readonly groupOf: Int32Array,
    /** By group, ascending: the row that all members are similar to. */
    readonly centre: Int32Array,
    private readonly starts: Int32Array,
    private readonly rows: Int32Array,
    private readonly doubts: Uint8Array,
  ) {}

  static none(rows: number): DuplicateGroups {
    const nobody = new Int32Array(0);
    return new DuplicateGroups(
      new Int32Array(rows).fill(NO_GROUP),
      nobody,
      new Int32Array(1),
      nobody,
      new Uint8Array(0),
    );
  }

  /**
   * `centreOf` has each row's centre (of a centre, itself), negative for none. Groups of one row are dropped. `doubts` has a number of
   * `groupDoubts` for each centre.
   */
  static async around(centreOf: Int32Array, doubts?: Uint8Array): Promise<DuplicateGroups> {
    const rows = centreOf.length;
    const sizes = new Int32Array(rows);
    await inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) if (centreOf[row]! >= 0) sizes[centreOf[row]!]! += 1;
    });
    const { numbers, centre, starts } = await numbered(sizes);
    const groupOf = new Int32Array(rows);
    const members = new Int32Array(starts.at(-1)!);
    const next = starts.slice();
    await inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) {
        const group = centreOf[row]! < 0 ? NO_GROUP : numbers[centreOf[row]!]!;
        groupOf[row] = group;
        if (group !== NO_GROUP) members[next[group]!++] = row;
      }
    });
    const doubtOf =
      doubts === undefined ? new Uint8Array(centre.length) : Uint8Array.from(centre, (row) => doubts[row]!);
    return new DuplicateGroups(groupOf, centre, starts, members, doubtOf);
  }

  get groups(): number {
    return this.centre.length;
  }

  get bytes(): number {
    const { groupOf, centre, starts, rows, doubts } = this;
    return groupOf.byteLength + centre.byteLength + starts.byteLength + rows.byteLength + doubts.byteLength;
  }

  /** Ascending. */
  members(group: number): Int32Array {
    return this.rows.subarray(this.starts[group], this.starts[group + 1]);
  }

  /** Null if all members are known to be similar to each other, and are not many. */
  doubt(group: number): GroupDoubt | null {
    return GROUP_DOUBTS[this.doubts[group]! - 1] ?? null;
  }

  groupAround(centre: number): number | undefined {
    const group = this.groupOf[centre] ?? NO_GROUP;
    return group !== NO_GROUP && this.centre[group] === centre ? group : undefined;
  }
}

async function numbered(sizes: Int32Array): Promise<{ numbers: Int32Array; centre: Int32Array; starts: Int32Array }> {
  const numbers = new Int32Array(sizes.length);
  let groups = 0;
  await inSlices(sizes.length, (from, to) => {
    for (let row = from; row < to; row++) numbers[row] = sizes[row]! < 2 ? NO_GROUP : groups++;
  });
  const centre = new Int32Array(groups);
  const starts = new Int32Array(groups + 1);
  await inSlices(sizes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const group = numbers[row]!;
      if (group === NO_GROUP) continue;
      centre[group] = row;
      starts[group + 1] = starts[group]! + sizes[row]!;
    }
  });
  return { numbers, centre, starts };
}

/** The similarity rounded to nine decimals; throws if it is below that of the stored pairs. */
export function keptSimilarity(similarity: number): number {
  if (similarity >= LEAST_SIMILARITY && similarity <= 1) return Math.round(similarity * UNITS) / UNITS;
  throw new ValidationFailedError([
    {
      type: 'out_of_range',
      loc: ['query', 'duplicate_threshold'],
      msg: NOT_KEPT,
      input: similarity,
    },
  ]);
}
