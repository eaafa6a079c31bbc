import { OrdinalSet } from '../../../common/media-table/ordinal-set';
import { inSlices } from './in-slices';

export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

/** The labels of every row, as numbers. */
export class LabelIndex {
  /** The labels of row r lie from starts[r] to starts[r + 1]. */
  private constructor(
    private readonly names: readonly string[],
    private readonly starts: Int32Array,
    private readonly labels: Int32Array,
  ) {}

  static readonly builder = (rows: number): LabelIndexBuilder =>
    new LabelIndexBuilder(rows, (...parts) => new LabelIndex(...parts));

  get bytes(): number {
    return (
      this.starts.byteLength + this.labels.byteLength + this.names.reduce((sum, name) => sum + 2 * name.length + 40, 0)
    );
  }

  of(row: number): string[] {
    return Array.from(this.labels.subarray(this.starts[row], this.starts[row + 1]), (label) => this.names[label]!);
  }

  get rows(): number {
    return this.starts.length - 1;
  }

  /** Rows that hold one of the labels. */
  holdingAny(labels: readonly string[]): Promise<OrdinalSet> {
    return this.rowsWhere(labels, (held) => held > 0);
  }

  /** Rows that hold every one of the labels. */
  async holdingAll(labels: readonly string[]): Promise<OrdinalSet> {
    const wanted = new Set(labels);
    return this.rowsWhere(labels, (held) => held === wanted.size);
  }

  holdingNone(): Promise<OrdinalSet> {
    return this.rowsWhere([], (_, all) => all === 0);
  }

  /** How many of the rows hold each label, the most frequent first, equal ones by name. */
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

  /** The most frequent first, equal ones by name. */
  mostFrequent(rows: Int32Array, limit: number): LabelCount[] {
    if (this.labels.length === 0) return [];
    const counts = new Map<number, number>();
    for (const row of rows) {
      for (let i = this.starts[row]!; i < this.starts[row + 1]!; i++)
        counts.set(this.labels[i]!, (counts.get(this.labels[i]!) ?? 0) + 1);
    }
    const all = Array.from(counts, ([label, count]) => ({ label: this.names[label]!, count }));
    return all.sort(byCount).slice(0, limit);
  }

  /** By how many of the labels a row holds, and how many labels it holds in all. */
  private async rowsWhere(
    labels: readonly string[],
    passes: (held: number, all: number) => boolean,
  ): Promise<OrdinalSet> {
    const wanted = new Uint8Array(this.names.length);
    const asked = new Set(labels);
    for (const [number, name] of this.names.entries()) wanted[number] = asked.has(name) ? 1 : 0;
    const found = OrdinalSet.none(this.rows);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) {
        const from = this.starts[row]!;
        const to = this.starts[row + 1]!;
        let held = 0;
        for (let i = from; i < to; i++) held += wanted[this.labels[i]!]!;
        if (passes(held, to - from)) found.add(row);
      }
    });
    return found;
  }
}

const byCount = (a: LabelCount, b: LabelCount): number => b.count - a.count || (a.label < b.label ? -1 : 1);

type Finish = (names: readonly string[], starts: Int32Array, labels: Int32Array) => LabelIndex;

export class LabelIndexBuilder {
  private readonly numbers = new Map<string, number>();
  private readonly starts: Int32Array;
  private labels = new Int32Array(1024);
  private row = 0;

  constructor(
    rows: number,
    private readonly create: Finish,
  ) {
    this.starts = new Int32Array(rows + 1);
  }

  add(labels: readonly string[]): void {
    let end = this.starts[this.row]!;
    if (end + labels.length > this.labels.length) this.grow(end + labels.length);
    for (const label of labels) this.labels[end++] = this.numberOf(label);
    this.starts[++this.row] = end;
  }

  build(): LabelIndex {
    if (this.row !== this.starts.length - 1)
      throw new Error(`Labels of ${this.row} rows, expected ${this.starts.length - 1}`);
    return this.create([...this.numbers.keys()], this.starts, this.labels.slice(0, this.starts[this.row]));
  }

  private numberOf(label: string): number {
    const known = this.numbers.get(label);
    if (known !== undefined) return known;
    this.numbers.set(label, this.numbers.size);
    return this.numbers.size - 1;
  }

  private grow(needed: number): void {
    const larger = new Int32Array(Math.max(needed, this.labels.length * 2));
    larger.set(this.labels);
    this.labels = larger;
  }
}
