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
export function scan(text: string, caret: number): Scanned {
  const frames: Frame[] = [];
  const ranges = new Map<string, readonly [number, number]>();
  let place: Place | null | undefined;
  const path = (depth = frames.length): Path =>
    frames.slice(0, depth).map(({ isObject, key, index }) => (isObject ? key : index));
  const note = (of: Path, start: number, end: number) => ranges.set(JSON.stringify(of), [start, end]);
  const hasColon = (from: number): boolean => {
    let after = from;
    while (after < text.length && SPACE.includes(text[after]!)) after += 1;
    return text[after] === ':';
  };
  const placeOf = (isKey: boolean, typed: string, from: number, to: number): Place => ({
    path: path(isKey ? frames.length - 1 : frames.length),
    isKey,
    typed,
    from,
    to,
    hasValue: isKey && hasColon(to),
  });
  const lookOutsideOfStrings = (at: number) => {
    if (place !== undefined || at < caret) return;
    const top = frames.at(-1);
    place = top === undefined || top.expects === 'nothing' ? null : placeOf(top.expects === 'key', '', caret, caret);
  };
  let at = 0;
  while (at < text.length) {
    lookOutsideOfStrings(at);
    const top = frames.at(-1);
    const character = text[at]!;
    let end = at + 1;
    if (character === '"') {
      while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
      const last = Math.min(end, text.length);
      end = Math.min(text.length, text[last] === '"' ? last + 1 : last);
      const isKey = top?.expects === 'key';
      if (place === undefined && caret > at && caret <= last)
        place = top === undefined ? null : placeOf(isKey, text.slice(at + 1, caret), at, end);
      if (isKey) top.key = text.slice(at + 1, last);
      else note(path(), at, end);
      if (top !== undefined) top.expects = 'nothing';
    } else if (character === '{' || character === '[') {
      const isObject = character === '{';
      frames.push({ isObject, start: at, key: '', index: 0, expects: isObject ? 'key' : 'value' });
    } else if (character === '}' || character === ']') {
      const closed = frames.pop();
      if (closed !== undefined) note(path(), closed.start, end);
      const outer = frames.at(-1);
      if (outer !== undefined) outer.expects = 'nothing';
    } else if (character === ',' && top !== undefined) {
      top.expects = top.isObject ? 'key' : 'value';
      top.index += 1;
    } else if (character === ':' && top !== undefined) top.expects = 'value';
    else if (!SPACE.includes(character)) {
      while (end < text.length && !SPACE.includes(text[end]!) && !PUNCTUATION.includes(text[end]!)) end += 1;
      note(path(), at, end);
      if (top !== undefined) top.expects = 'nothing';
    }
    at = end;
  }
  lookOutsideOfStrings(at);
  const rangeOf = (of: Path): readonly [number, number] => {
    for (let depth = of.length; depth > 0; depth -= 1) {
      const found = ranges.get(JSON.stringify(of.slice(0, depth)));
      if (found !== undefined) return found;
    }
    return [0, text.length];
  };
  return { place: place ?? null, rangeOf };
}
