import type { MetadataType, MetadataValue } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from './in-slices';
import type { MetadataFilter } from './query/filter';

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

export interface NumberRange {
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/** Types whose values are kept as numbers: a datetime in milliseconds, a boolean as 0 or 1. */
const NUMERIC: readonly MetadataType[] = ['float', 'boolean', 'datetime'];

interface ColumnContent {
  readonly name: string;
  readonly type: MetadataType;
  /** Of the whole version. */
  readonly tableRows: number;
  /** The row of each value, ascending; an enum of several options has its row several times. */
  readonly rows: Int32Array;
  /** The values, or where each is in `texts`. */
  readonly values: Float64Array | Int32Array;
  readonly texts: readonly string[];
  readonly bytes: number;
}

/** The values of one field of people, in the order of their rows. */
export class MetadataColumn {
  readonly name: string;
  readonly type: MetadataType;
  readonly bytes: number;

  constructor(private readonly content: ColumnContent) {
    ({ name: this.name, type: this.type, bytes: this.bytes } = content);
  }

  /** None if the values of the filter are of another type. */
  async matching({ op, values }: MetadataFilter): Promise<OrdinalSet> {
    if (NUMERIC.includes(this.type))
      return this.withNumbers(
        op,
        values.map((value) => numberOf(this.type, value)),
      );
    return this.withTexts(op, values.map(String));
  }

  /** By falling count, then by value. Rows are counted, each once. */
  async counts(rows: OrdinalSet): Promise<ValueCount[]> {
    const isText = !NUMERIC.includes(this.type);
    const names = isText ? this.content.texts : ['false', 'true'];
    const counts = new Int32Array(names.length);
    await this.eachIn(rows, (value) => counts[value]!++);
    return names
      .map((value, at) => ({ value, count: counts[at]! }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  }

  /** The rows with a value. */
  async count(rows: OrdinalSet): Promise<number> {
    return (await this.where(() => true)).and(rows).size;
  }

  /** Undefined if none of the rows has a value. */
  async range(rows: OrdinalSet): Promise<NumberRange | undefined> {
    let [count, min, max] = [0, Infinity, -Infinity];
    await this.eachIn(rows, (value) => {
      count += 1;
      if (value < min) min = value;
      if (value > max) max = value;
    });
    return count === 0 ? undefined : { count, min, max };
  }

  private async eachIn(of: OrdinalSet, take: (value: number) => void): Promise<void> {
    const { rows, values } = this.content;
    await inSlices(rows.length, (start, end) => {
      for (let at = start; at < end; at++) if (of.has(rows[at]!)) take(values[at]!);
    });
  }

  private withNumbers(op: MetadataFilter['op'], [first = NaN, second = NaN]: readonly number[]): Promise<OrdinalSet> {
    switch (op) {
      case 'eq':
        return this.where((value) => value === first);
      case 'gt':
        return this.where((value) => value > first);
      case 'lt':
        return this.where((value) => value < first);
      case 'between':
        return this.where((value) => value >= first && value <= second);
      case 'contains':
      case 'one_of':
        return this.where(() => false);
    }
  }

  private async withTexts(op: MetadataFilter['op'], wanted: readonly string[]): Promise<OrdinalSet> {
    const { texts } = this.content;
    const passes = new Uint8Array(texts.length);
    if (op === 'contains')
      await inSlices(texts.length * wanted.length, (start, end) => {
        for (let pair = start; pair < end; pair++) {
          const at = Math.floor(pair / wanted.length);
          if (texts[at]!.includes(wanted[pair % wanted.length]!)) passes[at] = 1;
        }
      });
    else if (op === 'eq' || op === 'one_of') {
      const named = new Set(wanted);
      await inSlices(texts.length, (start, end) => {
        for (let at = start; at < end; at++) if (named.has(texts[at]!)) passes[at] = 1;
      });
    }
    return this.where((value) => passes[value] === 1);
  }

  private async where(passes: (value: number) => boolean): Promise<OrdinalSet> {
    const { rows, values, tableRows } = this.content;
    const found = OrdinalSet.none(tableRows);
    await inSlices(rows.length, (start, end) => {
      for (let at = start; at < end; at++) if (passes(values[at]!)) found.add(rows[at]!);
    });
    return found;
  }
}

/** NaN, which equals nothing, for a value of another type. */
function numberOf(type: MetadataType, value: string | number | boolean): number {
  if (type === 'datetime') return typeof value === 'string' ? Date.parse(value) : NaN;
  return type === 'boolean'
    ? typeof value === 'boolean'
      ? Number(value)
      : NaN
    : typeof value === 'number'
      ? value
      : NaN;
}

/** Of a text in a map, a list and its string. */
const BYTES_PER_TEXT = 120;

export class MetadataColumnBuilder {
  private rows = new Int32Array(64);
  private values: Float64Array | Int32Array;
  private readonly numbers = new Map<string, number>();
  private length = 0;
  private textBytes = 0;

  constructor(
    private readonly name: string,
    private readonly type: MetadataType,
    private readonly tableRows: number,
  ) {
    this.values = this.grown(64);
  }

  get bytes(): number {
    return this.rows.byteLength + this.values.byteLength + this.textBytes;
  }

  /** Rows come in ascending order. */
  add(row: number, { type, value }: MetadataValue): void {
    if (type !== this.type) return;
    if (typeof value === 'object') for (const each of new Set(value)) this.append(row, this.numberOf(each));
    else if (NUMERIC.includes(type)) this.append(row, numberOf(type, value));
    else this.append(row, this.numberOf(String(value)));
  }

  build(): MetadataColumn {
    const { name, type, tableRows, length, numbers } = this;
    const [rows, values] = [this.rows.slice(0, length), this.values.slice(0, length)];
    const bytes = rows.byteLength + values.byteLength + this.textBytes;
    return new MetadataColumn({ name, type, tableRows, rows, values, texts: [...numbers.keys()], bytes });
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    this.textBytes += 2 * text.length + BYTES_PER_TEXT;
    return number;
  }

  private append(row: number, value: number): void {
    if (this.length === this.rows.length) {
      const rows = new Int32Array(2 * this.length);
      const values = this.grown(2 * this.length);
      rows.set(this.rows);
      values.set(this.values);
      [this.rows, this.values] = [rows, values];
    }
    this.rows[this.length] = row;
    this.values[this.length++] = value;
  }

  private grown(length: number): Float64Array | Int32Array {
    return NUMERIC.includes(this.type) ? new Float64Array(length) : new Int32Array(length);
  }
}
