const BITS = 32;

/** A set of rows of one table version, as a bitmap. Operations return new sets. */
export class OrdinalSet {
  private constructor(
    readonly rows: number,
    private readonly words: Uint32Array,
  ) {}

  static none(rows: number): OrdinalSet {
    return new OrdinalSet(rows, new Uint32Array(Math.ceil(rows / BITS)));
  }

  static all(rows: number): OrdinalSet {
    const set = new OrdinalSet(rows, new Uint32Array(Math.ceil(rows / BITS)).fill(0xffff_ffff));
    set.clearBeyond();
    return set;
  }

  /** Row r is bit r % 32 of word r / 32; bits beyond the last row must be clear. */
  static over(rows: number, words: Uint32Array): OrdinalSet {
    if (words.length !== Math.ceil(rows / BITS)) throw new RangeError(`${words.length} words do not fit ${rows} rows`);
    return new OrdinalSet(rows, words);
  }

  static of(rows: number, ordinals: ArrayLike<number>): OrdinalSet {
    const set = OrdinalSet.none(rows);
    for (let i = 0; i < ordinals.length; i++) set.add(ordinals[i]!);
    return set;
  }

  add(ordinal: number): void {
    this.words[ordinal >>> 5]! |= 1 << (ordinal & 31);
  }

  delete(ordinal: number): void {
    this.words[ordinal >>> 5]! &= ~(1 << (ordinal & 31));
  }

  has(ordinal: number): boolean {
    return ((this.words[ordinal >>> 5]! >>> (ordinal & 31)) & 1) === 1;
  }

  get bytes(): number {
    return this.words.byteLength;
  }

  get size(): number {
    let size = 0;
    for (const word of this.words) size += ones(word);
    return size;
  }

  and(other: OrdinalSet): OrdinalSet {
    const words = this.copyFor(other);
    for (let at = 0; at < words.length; at++) words[at]! &= other.words[at]!;
    return new OrdinalSet(this.rows, words);
  }

  or(other: OrdinalSet): OrdinalSet {
    const words = this.copyFor(other);
    for (let at = 0; at < words.length; at++) words[at]! |= other.words[at]!;
    return new OrdinalSet(this.rows, words);
  }

  without(other: OrdinalSet): OrdinalSet {
    const words = this.copyFor(other);
    for (let at = 0; at < words.length; at++) words[at]! &= ~other.words[at]!;
    return new OrdinalSet(this.rows, words);
  }

  isWithin(other: OrdinalSet): boolean {
    this.assertOfSameTable(other);
    return this.words.every((word, at) => (word & ~other.words[at]!) === 0);
  }

  complement(): OrdinalSet {
    const set = new OrdinalSet(
      this.rows,
      this.words.map((word) => ~word),
    );
    set.clearBeyond();
    return set;
  }

  /** The bytes of the words, as `over` accepts them. */
  toBytes(): Uint8Array {
    return new Uint8Array(this.words.buffer, this.words.byteOffset, this.words.byteLength);
  }

  /** The rows from `from` to before `to`, ascending. */
  toArray(from = 0, to = this.rows): Int32Array {
    const [first, last] = [from >>> 5, to === 0 ? -1 : (to - 1) >>> 5];
    let size = 0;
    for (let at = first; at <= last; at++) size += ones(this.wordBetween(at, from, to));
    const ordinals = new Int32Array(size);
    let end = 0;
    for (let at = first; at <= last; at++)
      for (let word = this.wordBetween(at, from, to); word !== 0; word &= word - 1)
        ordinals[end++] = at * BITS + (31 - Math.clz32(word & -word));
    return ordinals;
  }

  /** Adds each row from `from` to before `to`, both multiples of 32 or the end, to the count of its number. */
  countBy(numbers: Int32Array, counts: Int32Array, from: number, to: number): void {
    for (let at = from >>> 5; at * BITS < to; at++)
      for (let word = this.words[at]!; word !== 0; word &= word - 1)
        counts[numbers[at * BITS + (31 - Math.clz32(word & -word))]!]!++;
  }

  private wordBetween(at: number, from: number, to: number): number {
    let word = this.words[at]!;
    if (at === from >>> 5) word &= -1 << (from & 31);
    if (at === (to - 1) >>> 5) word &= -1 >>> (31 - ((to - 1) & 31));
    return word;
  }

  /** A copy of the words, to be combined with those of a set with as many rows. A function call per word would take several times as long. */
  private copyFor(other: OrdinalSet): Uint32Array {
    this.assertOfSameTable(other);
    return this.words.slice();
  }

  private assertOfSameTable({ rows }: OrdinalSet): void {
    if (rows !== this.rows) throw new RangeError(`Sets of ${this.rows} and ${rows} rows cannot be combined`);
  }

  /** Clears the bits beyond the last row, which would otherwise be counted. */
  private clearBeyond(): void {
    const used = this.rows & 31;
    if (used !== 0) this.words[this.words.length - 1]! &= (1 << used) - 1;
  }
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
