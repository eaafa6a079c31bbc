import type { TextLists } from '../../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import { TextNumbers } from './text-numbers';

export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

/** The number of names per slice, which takes a few milliseconds. */
const NAMES_AT_ONCE = 2 ** 13;

interface LabelColumns {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** The labels of row r are at starts[r] to starts[r + 1]. */
  readonly starts: Int32Array;
  readonly labels: Int32Array;
  /** The rows of label l, ascending, are at rowStarts[l] to rowStarts[l + 1]. */
  readonly rowStarts: Int32Array;
  readonly holders: Int32Array;
}

/** The labels of every row and the rows of every label, as indices. */
export class LabelIndex {
  private readonly names: readonly string[];
  private readonly starts: Int32Array;
  private readonly labels: Int32Array;
  /** All zero between calls. */
  private readonly counters: Int32Array;
  readonly bytes: number;

  private constructor(private readonly columns: LabelColumns) {
    ({ names: this.names, starts: this.starts, labels: this.labels } = columns);
    this.counters = new Int32Array(this.names.length);
    const named = this.names.reduce((sum, name) => sum + 2 * name.length + 120, 0);
    this.bytes = this.starts.byteLength + 2 * this.labels.byteLength + named;
  }

  /** Rows are added to those of `before`. */
  static readonly builder = (rows: number, before?: LabelIndex): LabelIndexBuilder =>
    new LabelIndexBuilder(rows, (columns) => new LabelIndex(columns), before?.columns);

  /** The same with other labels for some rows. */
  async with(changed: ReadonlyMap<number, readonly string[]>): Promise<LabelIndex> {
    const builder = new LabelIndexBuilder(this.rows, (columns) => new LabelIndex(columns));
    for (const name of this.names) builder.numberOf(name);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) {
        const labels = changed.get(row);
        if (labels === undefined) builder.addNumbers(this.labels, this.starts[row]!, this.starts[row + 1]!);
        else builder.add(labels);
      }
    });
    return builder.build();
  }

  of(row: number): string[] {
    const labels: string[] = [];
    const end = this.starts[row + 1]!;
    for (let at = this.starts[row]!; at < end; at++) labels.push(this.names[this.labels[at]!]!);
    return labels;
  }

  get rows(): number {
    return this.starts.length - 1;
  }

  /** The labels that pass. */
  async named(passes: (label: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    await this.eachName((name) => {
      if (passes(name)) found.push(name);
    });
    return found;
  }

  /** Rows with at least one of the labels. */
  holdingAny(labels: readonly string[]): OrdinalSet {
    const found = OrdinalSet.none(this.rows);
    for (const label of new Set(labels)) for (const row of this.rowsWith(label)) found.add(row);
    return found;
  }

  /** Rows with all of the labels. */
  holdingAll(labels: readonly string[]): OrdinalSet {
    const sets = Array.from(new Set(labels), (label) => OrdinalSet.of(this.rows, this.rowsWith(label)));
    return sets.reduce((found, set) => found.and(set));
  }

  async holdingNone(): Promise<OrdinalSet> {
    const found = OrdinalSet.none(this.rows);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) if (this.starts[row] === this.starts[row + 1]) found.add(row);
    });
    return found;
  }

  /** The number of rows with each label, by falling count, then by name. */
  async counts(rows: OrdinalSet): Promise<LabelCount[]> {
    const counts = new Int32Array(this.names.length);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) {
        if (!rows.has(row)) continue;
        for (let i = this.starts[row]!; i < this.starts[row + 1]!; i++) counts[this.labels[i]!]!++;
      }
    });
    return this.names
      .map((label, i) => ({ label, count: counts[i]! }))
      .filter(({ count }) => count > 0)
      .sort(byCount);
  }

  /** The number of rows with a label of each group, by falling count, then by name. */
  async groupCounts(rows: OrdinalSet, groupsOf: (label: string) => readonly string[]): Promise<LabelCount[]> {
    const groups = new TextNumbers();
    const groupsOfLabel: number[][] = [];
    await this.eachName((name) => groupsOfLabel.push(groupsOf(name).map((group) => groups.of(group))));
    const names = [...groups.numbers.keys()];
    const counts = new Int32Array(names.length);
    const counted = new Int32Array(names.length).fill(-1);
    await inSlices(names.length === 0 ? 0 : this.rows, (start, end) => {
      for (let row = start; row < end; row++) {
        if (!rows.has(row)) continue;
        for (let i = this.starts[row]!; i < this.starts[row + 1]!; i++)
          for (const group of groupsOfLabel[this.labels[i]!]!) {
            if (counted[group] !== row) counts[group]!++;
            counted[group] = row;
          }
      }
    });
    return names
      .map((label, i) => ({ label, count: counts[i]! }))
      .filter(({ count }) => count > 0)
      .sort(byCount);
  }

  /** By falling count, then by name. */
  mostFrequent(rows: Int32Array, limit: number): LabelCount[] {
    if (this.labels.length === 0) return [];
    const { counters } = this;
    const held: number[] = [];
    const { starts, labels } = this;
    for (let at = 0; at < rows.length; at++) {
      const end = starts[rows[at]! + 1]!;
      for (let i = starts[rows[at]!]!; i < end; i++) {
        const label = labels[i]!;
        if (counters[label]!++ === 0) held.push(label);
      }
    }
    const all = held.map((label) => ({ label: this.names[label]!, count: counters[label]! }));
    for (const label of held) counters[label] = 0;
    return all.sort(byCount).slice(0, limit);
  }

  private eachName(visit: (name: string) => void): Promise<void> {
    return inSlices(
      this.names.length,
      (start, end) => {
        for (let at = start; at < end; at++) visit(this.names[at]!);
      },
      NAMES_AT_ONCE,
    );
  }

  private rowsWith(label: string): Int32Array {
    const { numbers, rowStarts, holders } = this.columns;
    const number = numbers.get(label);
    return number === undefined ? new Int32Array(0) : holders.subarray(rowStarts[number], rowStarts[number + 1]);
  }
}

export const byCount = (a: LabelCount, b: LabelCount): number => b.count - a.count || (a.label < b.label ? -1 : 1);

type Finish = (columns: LabelColumns) => LabelIndex;
export class LabelIndexBuilder {
  private readonly texts: TextNumbers;
  private readonly starts: Int32Array;
  private labels = new Int32Array(1024);
  private row = 0;

  constructor(
    rows: number,
    private readonly create: Finish,
    before?: LabelColumns,
  ) {
    this.starts = new Int32Array(rows + 1);
    this.texts = new TextNumbers(before?.numbers);
    if (before === undefined) return;
    this.starts.set(before.starts);
    this.row = before.starts.length - 1;
    this.labels = before.labels.slice();
  }

  /** The labels of the next row. */
  add(labels: readonly string[]): void {
    const end = this.starts[this.row]!;
    this.growTo(end + labels.length);
    labels.forEach((label, i) => (this.labels[end + i] = this.texts.of(label)));
    this.starts[++this.row] = end + labels.length;
  }

  numberOf(label: string): number {
    return this.texts.of(label);
  }

  /** The labels of the next row, which are in a list from `start` to `end`. */
  addNumbers(labels: Int32Array, start: number, end: number): void {
    const at = this.starts[this.row]!;
    this.growTo(at + end - start);
    for (let i = start; i < end; i++) this.labels[at + i - start] = labels[i]!;
    this.starts[++this.row] = at + end - start;
  }

  /** The labels of the next rows. */
  addLists({ count, starts, texts, textAt }: TextLists): void {
    let end = this.starts[this.row]!;
    this.growTo(end + starts[count]! - starts[0]!);
    for (let list = 0; list < count; list++) {
      for (let place = starts[list]!; place < starts[list + 1]!; place++)
        this.labels[end++] = this.texts.ofEncoded(texts, place, textAt);
      this.starts[++this.row] = end;
    }
  }

  async build(): Promise<LabelIndex> {
    const { row: rows, starts } = this;
    const { numbers } = this.texts;
    if (rows !== starts.length - 1) throw new Error(`Labels of ${rows} rows, expected ${starts.length - 1}`);
    const labels = this.labels.slice(0, starts[rows]);
    const rowStarts = new Int32Array(numbers.size + 1);
    await inSlices(labels.length, (start, end) => {
      for (let i = start; i < end; i++) rowStarts[labels[i]! + 1]!++;
    });
    for (let label = 0; label < numbers.size; label++) rowStarts[label + 1]! += rowStarts[label]!;
    const next = rowStarts.slice();
    const holders = new Int32Array(labels.length);
    await inSlices(rows, (start, end) => {
      for (let row = start; row < end; row++)
        for (let i = starts[row]!; i < starts[row + 1]!; i++) holders[next[labels[i]!]!++] = row;
    });
    return this.create({ names: [...numbers.keys()], numbers, starts, labels, rowStarts, holders });
  }

  private growTo(needed: number): void {
    if (needed <= this.labels.length) return;
    const larger = new Int32Array(Math.max(needed, this.labels.length * 2));
    larger.set(this.labels);
    this.labels = larger;
  }
}
