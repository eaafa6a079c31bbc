/** The most classes and the longest name that are taken. */
const MAX_NAMES = 10_000;
const MAX_NAME = 200;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** The number of hexadecimal digits that follow. */
const CODE_ESCAPES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * The names in a dictionary as Python prints it, `{0: 'person', 1: "driver's cab"}`, in the order of their numbers, which are 0, 1 and so
 * on. Undefined if the text is anything else.
 */
export function pythonNames(text: string): string[] | undefined {
  const reader = new Reader(text);
  const names: string[] = [];
  if (!reader.take('{')) return undefined;
  while (names.length < MAX_NAMES) {
    if (!reader.take(`${names.length}: `)) return undefined;
    const name = reader.string();
    if (name === undefined || name.trim() === '' || name.length > MAX_NAME) return undefined;
    names.push(name);
    if (reader.take('}')) return reader.isAtEnd() ? names : undefined;
    if (!reader.take(', ')) return undefined;
  }
  return undefined;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  take(expected: string): boolean {
    const found = this.text.startsWith(expected, this.at);
    if (found) this.at += expected.length;
    return found;
  }

  string(): string | undefined {
    const quote = this.text[this.at];
    if (quote !== "'" && quote !== '"') return undefined;
    let value = '';
    for (this.at += 1; this.at < this.text.length;) {
      const character = this.text[this.at]!;
      this.at += 1;
      if (character === quote) return value;
      const part = character === '\\' ? this.escaped() : character;
      if (part === undefined) return undefined;
      value += part;
    }
    return undefined;
  }

  private escaped(): string | undefined {
    const kind = this.text[this.at] ?? '';
    this.at += 1;
    const digits = CODE_ESCAPES[kind];
    if (digits === undefined) return SIMPLE_ESCAPES[kind];
    const code = Number(`0x${this.text.slice(this.at, this.at + digits)}`);
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    if (this.at + digits > this.text.length || !(code <= 0x10ffff) || isHalf) return undefined;
    this.at += digits;
    return String.fromCodePoint(code);
  }
}
