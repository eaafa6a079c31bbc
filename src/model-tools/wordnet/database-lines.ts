import { WeightsRefusedError } from '../packages/converter';

const MAX_LINE = 65_536;
const NUMBER = { 10: /^\d{1,9}$/, 16: /^[\da-f]{1,4}$/ };

/** The fields of a line, which are separated by single spaces. */
export class DatabaseLine {
  private readonly fields: readonly string[];

  constructor(
    private readonly place: string,
    text: string,
  ) {
    this.fields = text.split(' ');
  }

  text(at: number): string {
    return this.fields[at] ?? this.refuse();
  }

  whole(at: number, radix: 10 | 16 = 10): number {
    const text = this.text(at);
    return NUMBER[radix].test(text) ? parseInt(text, radix) : this.refuse();
  }

  /** A number of things that the line has. */
  count(at: number, radix: 10 | 16 = 10): number {
    const count = this.whole(at, radix);
    return count <= this.fields.length ? count : this.refuse();
  }

  refuse(): never {
    throw new WeightsRefusedError(`${this.place} is not in the format of WordNet 3.1.`);
  }
}

/** The lines of a file, without those of the licence. Throws WeightsRefusedError. */
export function* databaseLines(
  name: string,
  content: Buffer,
  maxBytes: number,
): Iterable<{ readonly place: string; readonly text: string }> {
  if (content.length > maxBytes)
    throw new WeightsRefusedError(`${name} has ${content.length} bytes, more than the ${maxBytes} of the limit.`);
  for (let start = 0, line = 1; start < content.length; line++) {
    const found = content.indexOf('\n', start);
    const end = found === -1 ? content.length : found;
    const place = `Line ${line} of ${name}`;
    if (end - start > MAX_LINE) throw new WeightsRefusedError(`${place} has more than ${MAX_LINE} bytes.`);
    const text = content.toString('latin1', start, end).trimEnd();
    if (text !== '' && !text.startsWith(' ')) yield { place, text };
    start = end + 1;
  }
}
