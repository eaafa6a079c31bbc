import type { MetadataType, MetadataValue } from '../../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices, yieldTurn } from '../../../../common/platform/concurrency/in-slices';
import { PackedTexts } from './packed-texts';
import { anyText, type IsSought } from '../../../../common/platform/text/texts';

export type MetadataOp = 'eq' | 'gt' | 'lt' | 'between' | 'contains' | 'one_of';

/** `between` has two values, inclusive, and those with several texts hold for any of them. */
export interface MetadataCondition {
  readonly op: MetadataOp;
  /** A datetime is a text with its zone. */
  readonly values: readonly (string | number | boolean)[];
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** The most frequent values, and how many there are. */
export interface FrequentValues {
  readonly values: readonly ValueCount[];
  readonly total: number;
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
  readonly texts: PackedTexts;
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

  /** None if the values of the condition are of another type. */
  async matching({ op, values }: MetadataCondition): Promise<OrdinalSet> {
    if (NUMERIC.includes(this.type))
      return this.withNumbers(
        op,
        values.map((value) => numberOf(this.type, value)),
      );
    return this.withTexts(op, values.map(String));
  }

  /** The most frequent values, by falling count, then by value. Rows are counted, each once. */
  async mostFrequent(rows: OrdinalSet, most: number, isSought: IsSought = anyText): Promise<FrequentValues> {
    const { texts } = this.content;
    const isText = !NUMERIC.includes(this.type);
    const counts = new Int32Array(isText ? texts.length : 2);
    await this.eachIn(rows, (value) => counts[value]!++);
    const nameOf = (value: number): string => (isText ? texts.at(value) : String(value === 1));
    const best = new BestCounts(most);
    let total = 0;
    await inTexts(counts.length, (at) => {
      if (counts[at]! === 0) return;
      if (isSought === anyText && counts[at]! < best.least) {
        total += 1;
        return;
      }
      const value = nameOf(at);
      if (!isSought(value)) return;
      total += 1;
      if (counts[at]! >= best.least) best.add({ value, count: counts[at]! });
    });
    return { values: best.sorted(), total };
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

  /** The values in the rows, of types whose values are numbers. */
  async numbers(rows: OrdinalSet): Promise<Float64Array> {
    const numbers = new Float64Array(this.content.rows.length);
    let count = 0;
    await this.eachIn(rows, (value) => (numbers[count++] = value));
    return numbers.slice(0, count);
  }

  private async eachIn(of: OrdinalSet, take: (value: number) => void): Promise<void> {
    const { rows, values } = this.content;
    await inSlices(rows.length, (start, end) => {
      for (let at = start; at < end; at++) if (of.has(rows[at]!)) take(values[at]!);
    });
  }

  private withNumbers(op: MetadataOp, [first = NaN, second = NaN]: readonly number[]): Promise<OrdinalSet> {
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

  private async withTexts(op: MetadataOp, wanted: readonly string[]): Promise<OrdinalSet> {
    const { texts } = this.content;
    const passes = new Uint8Array(texts.length);
    const pass = (at: number): void => {
      passes[at] = 1;
    };
    if (op === 'contains' || wanted.length <= FEW) {
      if (op === 'contains' || op === 'eq' || op === 'one_of')
        for (const each of wanted) await texts.find(each, op !== 'contains', pass);
    } else if (op === 'one_of') {
      const named = new Set(wanted);
      await inTexts(texts.length, (at) => {
        if (named.has(texts.at(at))) pass(at);
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

/** Up to this many values are searched for in the bytes of all texts; of more, each text is looked up. */
const FEW = 16;
/** Texts at a time: a few milliseconds. */
const TEXTS_AT_ONCE = 2 ** 15;

async function inTexts(count: number, take: (at: number) => void): Promise<void> {
  for (let start = 0; start < count; start += TEXTS_AT_ONCE) {
    if (start > 0) await yieldTurn();
    for (let at = start; at < Math.min(count, start + TEXTS_AT_ONCE); at++) take(at);
  }
}

const byCount = (a: ValueCount, b: ValueCount): number => b.count - a.count || (a.value < b.value ? -1 : 1);

/** Keeps the most frequent of many values. */
class BestCounts {
  /** Those below are not among the best. */
  least = 0;
  private kept: ValueCount[] = [];

  constructor(private readonly most: number) {}

  add(value: ValueCount): void {
    this.kept.push(value);
    if (this.kept.length < 2 * this.most) return;
    this.kept = this.sorted();
    this.least = this.kept.at(-1)!.count;
  }

  sorted(): ValueCount[] {
    return this.kept.sort(byCount).slice(0, this.most);
  }
}

/** Of a text in the map that is dropped at the end. */
const BYTES_PER_TEXT = 120;

export class MetadataColumnBuilder {
  private rows = new Int32Array(64);
  private values: Float64Array | Int32Array;
  private readonly numbers = new Map<string, number>();
  private readonly texts = new PackedTexts();
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
    return this.rows.byteLength + this.values.byteLength + this.texts.byteLength + this.textBytes;
  }

  /** Rows come in ascending order. */
  add(row: number, { type, value }: MetadataValue): void {
    if (type !== this.type) return;
    if (typeof value === 'object') for (const each of new Set(value)) this.append(row, this.numberOf(each));
    else if (NUMERIC.includes(type)) this.append(row, numberOf(type, value));
    else this.append(row, this.numberOf(String(value)));
  }

  build(): MetadataColumn {
    const { name, type, tableRows, length } = this;
    const texts = this.texts.trim();
    const [rows, values] = [this.rows.slice(0, length), this.values.slice(0, length)];
    const bytes = rows.byteLength + values.byteLength + texts.byteLength;
    return new MetadataColumn({ name, type, tableRows, rows, values, texts, bytes });
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.push(text);
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
