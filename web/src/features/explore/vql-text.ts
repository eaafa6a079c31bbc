export type Path = readonly (string | number)[];

/** Where the caret is, in text that may be half written. */
export interface Place {
  /** Of the object that a key belongs to, or of the value itself. */
  readonly path: Path;
  readonly isKey: boolean;
  /** Between the quote and the caret. */
  readonly typed: string;
  /** The range that a suggestion replaces: the whole string with its quotes, or nothing. */
  readonly from: number;
  readonly to: number;
  /** Whether a colon follows, so that a key has its value already. */
  readonly hasValue: boolean;
}

export interface Scanned {
  readonly place: Place | null;
  /** The range of a value; of its parent if the value is missing. */
  readonly rangeOf: (path: Path) => readonly [number, number];
}

interface Frame {
  readonly isObject: boolean;
  readonly start: number;
  key: string;
  index: number;
  expects: 'key' | 'value' | 'nothing';
}

const SPACE = ' \n\r\t';
const PUNCTUATION = '{}[],:"';

/** Reads incomplete JSON, and never fails. */
export const scan = (text: string, caret: number): Scanned => new Scanner(text, caret).scan();

class Scanner {
  private readonly frames: Frame[] = [];
  private readonly ranges = new Map<string, readonly [number, number]>();
  /** Undefined until the caret is reached. */
  private place: Place | null | undefined;

  constructor(
    private readonly text: string,
    private readonly caret: number,
  ) {}

  scan(): Scanned {
    let at = 0;
    while (at < this.text.length) {
      this.lookOutsideOfStrings(at);
      at = this.read(at);
    }
    this.lookOutsideOfStrings(at);
    return { place: this.place ?? null, rangeOf: (path) => this.rangeOf(path) };
  }

  /** Reads a string, a sign or a word; returns its end. */
  private read(at: number): number {
    const top = this.frames.at(-1);
    const character = this.text[at]!;
    if (character === '"') return this.readString(at, top);
    if (character === '{' || character === '[') this.open(character === '{', at);
    else if (character === '}' || character === ']') this.close(at + 1);
    else if (character === ',' && top !== undefined) {
      top.expects = top.isObject ? 'key' : 'value';
      top.index += 1;
    } else if (character === ':' && top !== undefined) top.expects = 'value';
    else if (!SPACE.includes(character)) return this.readWord(at, top);
    return at + 1;
  }

  private readString(at: number, top: Frame | undefined): number {
    const { text, caret } = this;
    let end = at + 1;
    while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
    const last = Math.min(end, text.length);
    end = Math.min(text.length, text[last] === '"' ? last + 1 : last);
    const isKey = top?.expects === 'key';
    if (this.place === undefined && caret > at && caret <= last)
      this.place = top === undefined ? null : this.placeOf(isKey, text.slice(at + 1, caret), at, end);
    if (isKey) top.key = text.slice(at + 1, last);
    else this.note(at, end);
    if (top !== undefined) top.expects = 'nothing';
    return end;
  }

  private readWord(at: number, top: Frame | undefined): number {
    const { text } = this;
    let end = at + 1;
    while (end < text.length && !SPACE.includes(text[end]!) && !PUNCTUATION.includes(text[end]!)) end += 1;
    this.note(at, end);
    if (top !== undefined) top.expects = 'nothing';
    return end;
  }

  private open(isObject: boolean, start: number): void {
    this.frames.push({ isObject, start, key: '', index: 0, expects: isObject ? 'key' : 'value' });
  }

  private close(end: number): void {
    const closed = this.frames.pop();
    if (closed !== undefined) this.note(closed.start, end);
    const outer = this.frames.at(-1);
    if (outer !== undefined) outer.expects = 'nothing';
  }

  private lookOutsideOfStrings(at: number): void {
    if (this.place !== undefined || at < this.caret) return;
    const top = this.frames.at(-1);
    this.place =
      top === undefined || top.expects === 'nothing'
        ? null
        : this.placeOf(top.expects === 'key', '', this.caret, this.caret);
  }

  private placeOf(isKey: boolean, typed: string, from: number, to: number): Place {
    const path = this.path(isKey ? this.frames.length - 1 : this.frames.length);
    return { path, isKey, typed, from, to, hasValue: isKey && this.hasColon(to) };
  }

  private hasColon(from: number): boolean {
    let after = from;
    while (after < this.text.length && SPACE.includes(this.text[after]!)) after += 1;
    return this.text[after] === ':';
  }

  private path(depth = this.frames.length): Path {
    return this.frames.slice(0, depth).map(({ isObject, key, index }) => (isObject ? key : index));
  }

  private note(start: number, end: number): void {
    this.ranges.set(JSON.stringify(this.path()), [start, end]);
  }

  private rangeOf(path: Path): readonly [number, number] {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const found = this.ranges.get(JSON.stringify(path.slice(0, depth)));
      if (found !== undefined) return found;
    }
    return [0, this.text.length];
  }
}
