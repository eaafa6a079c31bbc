/** What slices are made of. A slice has at most one condition on each subject. */
export interface SliceConditions {
  /** By condition: the number of what it is about, such as the folder or the label. */
  readonly subjects: Int32Array;
  /** The conditions that picture p fulfils are held[firsts[p]] to held[firsts[p + 1]], ascending. */
  readonly firsts: Int32Array;
  readonly held: Int32Array;
  /** By number of a label: its condition, or NONE. */
  readonly ofLabels: Int32Array;
  /** By place in SIZES: its condition, or NONE. */
  readonly ofSizes: Int32Array;
}

/** The pictures that fulfil each condition, ascending. */
export function picturesByCondition({ subjects, firsts, held }: SliceConditions): readonly Int32Array[] {
  const counts = new Int32Array(subjects.length);
  for (const condition of held) counts[condition]!++;
  const lists = Array.from(counts, (count) => new Int32Array(count));
  const ends = new Int32Array(subjects.length);
  for (let picture = 0; picture + 1 < firsts.length; picture++)
    for (let at = firsts[picture]!; at < firsts[picture + 1]!; at++) {
      const condition = held[at]!;
      lists[condition]![ends[condition]!++] = picture;
    }
  return lists;
}
