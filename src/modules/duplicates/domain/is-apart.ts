/** Larger groups count as apart only if one decision has all of them. */
const MOST_COMPARED = 1_000;

/** Whether each pair of the rows was called different, by whichever decision. */
export function isApart(
  rows: Int32Array,
  decisionsOf: (row: number) => readonly number[] | undefined,
  keptBy: (decision: number) => Int32Array,
): boolean {
  const ofFirst = decisionsOf(rows[0]!);
  if (ofFirst === undefined) return false;
  const common = ofFirst.some((decision) => rows.every((row) => decisionsOf(row)?.includes(decision) === true));
  if (common || rows.length > MOST_COMPARED) return common;
  return rows.every((row) => {
    const others = new Set<number>();
    for (const decision of decisionsOf(row) ?? []) for (const other of keptBy(decision)) others.add(other);
    return rows.every((other) => others.has(other));
  });
}
