/** Larger groups count as apart only if one decision has all of them. */
const MOST_COMPARED = 1_000;

/** A decision as rows of one table version; media that the version does not have are missing. */
export interface DecidedGroup {
  /** Ascending from 1, unique within the dataset. */
  readonly number: number;
  readonly kept: readonly number[];
  readonly removed: readonly number[];
}

/** The decisions about a dataset, as rows of one table version. */
export class DecidedRows {
  private members = new Int32Array(64);
  private end = 0;
  /** Of decision n: its members are from starts[n], the kept ones first. */
  private readonly starts: number[] = [];
  private readonly keptCounts: number[] = [];
  private readonly counts: number[] = [];
  /** How many decisions remove each row. */
  private readonly removals: Int32Array;
  /** The decisions that keep a row besides others. */
  private readonly apart = new Map<number, number[]>();

  constructor(rows: number) {
    this.removals = new Int32Array(rows);
  }

  add({ number, kept, removed }: DecidedGroup): void {
    if (this.has(number)) return;
    this.starts[number] = this.end;
    this.keptCounts[number] = kept.length;
    this.counts[number] = kept.length + removed.length;
    this.append(kept);
    this.append(removed);
    for (const row of removed) this.removals[row]!++;
    if (kept.length < 2) return;
    for (const row of kept) {
      const numbers = this.apart.get(row);
      if (numbers === undefined) this.apart.set(row, [number]);
      else numbers.push(number);
    }
  }

  undo(number: number): void {
    if (!this.has(number)) return;
    const { kept, removed } = this.get(number);
    for (const row of removed) this.removals[row]!--;
    for (const row of kept) {
      const others = this.apart.get(row)?.filter((each) => each !== number) ?? [];
      if (others.length === 0) this.apart.delete(row);
      else this.apart.set(row, others);
    }
    this.counts[number] = 0;
    this.keptCounts[number] = 0;
  }

  /** Without members if there is no such decision. */
  get(number: number): { readonly kept: Int32Array; readonly removed: Int32Array } {
    const start = this.starts[number] ?? 0;
    const middle = start + (this.keptCounts[number] ?? 0);
    return {
      kept: this.members.subarray(start, middle),
      removed: this.members.subarray(middle, start + (this.counts[number] ?? 0)),
    };
  }

  isRemoved(row: number): boolean {
    return this.removals[row]! > 0;
  }

  /** How many decisions remove the row. */
  removalsOf(row: number): number {
    return this.removals[row]!;
  }

  /** The members that are still in question: two or more, or none. Do not change the array, which may be the given one. */
  openAmong(members: Int32Array): Int32Array {
    let isTouched = false;
    for (let at = 0; at < members.length; at++) isTouched ||= this.removals[members[at]!]! > 0;
    const open = isTouched ? members.filter((row) => this.removals[row] === 0) : members;
    if (open.length < 2) return NOBODY;
    const isDecided =
      this.apart.size > 0 &&
      isApart(
        open,
        (row) => this.apart.get(row),
        (number) => this.get(number).kept,
      );
    return isDecided ? NOBODY : open;
  }

  private has(number: number): boolean {
    return (this.counts[number] ?? 0) > 0;
  }

  private append(rows: readonly number[]): void {
    while (this.end + rows.length > this.members.length) {
      const larger = new Int32Array(2 * this.members.length);
      larger.set(this.members);
      this.members = larger;
    }
    this.members.set(rows, this.end);
    this.end += rows.length;
  }
}

const NOBODY = new Int32Array();

/** Whether each pair of the rows was called different, by whichever decision. */
function isApart(
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
