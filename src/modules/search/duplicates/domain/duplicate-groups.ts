import { inSlices } from '../../domain/in-slices';

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
  ) {}

  static none(rows: number): DuplicateGroups {
    const nobody = new Int32Array(0);
    return new DuplicateGroups(new Int32Array(rows).fill(NO_GROUP), nobody, new Int32Array(1), nobody);
  }

  /** `centreOf` has each row's centre (of a centre, itself), negative for none. Groups of one row are dropped. */
  static async around(centreOf: Int32Array): Promise<DuplicateGroups> {
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
    return new DuplicateGroups(groupOf, centre, starts, members);
  }

  get groups(): number {
    return this.centre.length;
  }

  get bytes(): number {
    const { groupOf, centre, starts, rows } = this;
    return groupOf.byteLength + centre.byteLength + starts.byteLength + rows.byteLength;
  }

  /** Ascending. */
  members(group: number): Int32Array {
    return this.rows.subarray(this.starts[group], this.starts[group + 1]);
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
