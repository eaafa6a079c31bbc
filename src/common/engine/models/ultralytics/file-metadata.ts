import { open, type FileHandle } from 'node:fs/promises';
import { ModelError } from '../model-error';

/** Field numbers of ModelProto in onnx.proto, and of its StringStringEntryProto. */
const METADATA = 14;
const [KEY, VALUE] = [1, 2];

const [VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES] = [0, 1, 2, 5];
/** For field numbers and lengths; longer ones would exceed exact integers. */
const MAX_VARINT_BYTES = 7;
const MAX_ENTRY_BYTES = 1024 * 1024;
const MAX_FIELDS = 10_000;

interface Field {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the metadata that the exporter wrote to an ONNX file, which onnxruntime-node does not expose. Reads the metadata only, regardless of the size
 * of the model. Throws ModelError if the file is not in the format.
 */
export async function readFileMetadata(path: string): Promise<ReadonlyMap<string, string>> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const metadata = new Map<string, string>();
    for await (const { number, start, end } of fieldsOf(file, path, size)) {
      if (number !== METADATA) continue;
      if (end - start > MAX_ENTRY_BYTES) throw broken(path);
      const [key, value] = entryIn(await bytesAt(file, start, end - start), path);
      metadata.set(key, value);
    }
    return metadata;
  } finally {
    await file.close();
  }
}

async function* fieldsOf(file: FileHandle, path: string, size: number): AsyncGenerator<Field> {
  for (let at = 0, count = 0; at < size; count++) {
    if (count === MAX_FIELDS) throw broken(path);
    const header = await bytesAt(file, at, 2 * MAX_VARINT_BYTES);
    const field = fieldIn(header, 0, path);
    if (at + field.end > size) throw broken(path);
    yield { number: field.number, start: at + field.start, end: at + field.end };
    at += field.end;
  }
}

function entryIn(bytes: Buffer, path: string): [key: string, value: string] {
  const texts = { [KEY]: '', [VALUE]: '' };
  for (let at = 0; at < bytes.length;) {
    const { number, start, end } = fieldIn(bytes, at, path);
    if (end > bytes.length) throw broken(path);
    if (number === KEY || number === VALUE) texts[number] = bytes.toString('utf8', start, end);
    at = end;
  }
  return [texts[KEY]!, texts[VALUE]!];
}

/** The field whose header is at this position; its content may extend beyond the bytes. */
function fieldIn(bytes: Buffer, at: number, path: string): Field {
  const tag = varintIn(bytes, at, path);
  const number = Math.floor(tag.value / 8);
  const next = tag.end;
  switch (tag.value % 8) {
    case VARINT:
      return { number, start: next, end: varintIn(bytes, next, path).end };
    case EIGHT_BYTES:
      return { number, start: next, end: next + 8 };
    case FOUR_BYTES:
      return { number, start: next, end: next + 4 };
    case BYTES: {
      const { value: length, end: start } = varintIn(bytes, next, path);
      return { number, start, end: start + length };
    }
    default:
      throw broken(path);
  }
}

function varintIn(bytes: Buffer, at: number, path: string): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES && at + index < bytes.length; index++) {
    const byte = bytes[at + index]!;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  throw broken(path);
}

/** Returns fewer bytes at the end of the file. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

const broken = (path: string): ModelError => new ModelError(`The metadata in ${path} can't be read.`);

/** The maximum number of classes, and the maximum length of a name. */
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
 * The names in a dictionary in Python's notation, `{0: 'person', 1: "driver's cab"}`, ordered by their numbers, which must be 0, 1 and so on.
 * Undefined for any other text.
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
