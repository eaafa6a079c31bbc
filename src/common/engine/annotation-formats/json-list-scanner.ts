import { MalformedFileError } from './malformed-file';

const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SLASH = 0x2f;
const OPENING: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);
const CLOSING: ReadonlySet<number> = new Set(OPENING.values());
const BRACKET = 0x5b;
const BRACE = 0x7b;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The name of the list that a whole file may be. */
export const WHOLE_LIST = '';

/**
 * Emits the elements of top-level lists of one large JSON object, or of a file that is a list, each parsed on its own, and objects
 * of these names as a whole. It skips everything else: memory doesn't grow with the size of the file.
 */
export class JsonListScanner {
  private readonly closers: number[] = [];
  private inString = false;
  private escaped = false;
  private awaitsKey = false;
  private isOver = false;
  private key = '';
  private list: string | undefined;
  /** How deep the elements of lists are. */
  private elementDepth = 2;
  private isWholeObject = false;
  private afterComma = false;
  /** Bytes of a key or element that started in an earlier chunk. */
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  /** Start of the current key or element in this chunk; -1 if there is none. */
  private start = -1;

  constructor(
    private readonly lists: readonly string[],
    private readonly onElement: (list: string, value: unknown) => void,
    private readonly objects: readonly string[] = [],
  ) {}

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.inString) this.withinString(byte, chunk, at);
      else if (!isSpace(byte)) this.outsideString(byte, chunk, at);
    }
    if (this.start === -1) return;
    this.keep(chunk.subarray(this.start));
    this.start = 0;
  }

  end(): void {
    if (!this.isOver) throw new MalformedFileError('it ends in the middle');
  }

  /** Whether the file is a list itself. */
  get isOneList(): boolean {
    return this.elementDepth === 1;
  }

  private get depth(): number {
    return this.closers.length;
  }

  private withinString(byte: number, chunk: Uint8Array, at: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      if (this.depth === 1 && this.awaitsKey) this.key = String(parsed(`${this.taken(chunk, at)}"`));
    }
  }

  private outsideString(byte: number, chunk: Uint8Array, at: number): void {
    if (this.depth === 0) {
      this.begin(byte);
      return;
    }
    if (this.list !== undefined && this.depth === this.elementDepth && !this.isWholeObject) {
      if (byte === COMMA || CLOSING.has(byte)) this.endElement(byte, chunk, at);
      else if (this.start === -1) this.start = at;
    }
    if (byte === QUOTE) {
      this.inString = true;
      if (this.depth === 1 && this.awaitsKey) this.start = at;
    } else if (OPENING.has(byte)) this.open(byte, at);
    else if (CLOSING.has(byte)) this.close(byte, chunk, at);
    else if (byte === SLASH) throw new MalformedFileError('it holds a comment or a stray "/"');
    else if (this.depth === 1) this.betweenKeys(byte);
  }

  private begin(byte: number): void {
    // A byte order mark.
    if (!this.isOver && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return;
    const isList = byte === BRACKET && this.lists.includes(WHOLE_LIST);
    if (this.isOver || !(isList || byte === BRACE)) throw new MalformedFileError('it is not one JSON object');
    this.closers.push(OPENING.get(byte)!);
    this.awaitsKey = !isList;
    if (!isList) return;
    this.list = WHOLE_LIST;
    this.elementDepth = 1;
  }

  private betweenKeys(byte: number): void {
    if (this.elementDepth === 1) return;
    if (byte === COMMA) this.awaitsKey = true;
    else if (byte === COLON) this.awaitsKey = false;
  }

  private open(byte: number, at: number): void {
    if (this.depth === 1 && this.elementDepth === 2) {
      if (this.awaitsKey) throw new MalformedFileError('it has a value where a name is due');
      this.isWholeObject = byte === BRACE && this.objects.includes(this.key);
      this.list = this.isWholeObject || (byte === BRACKET && this.lists.includes(this.key)) ? this.key : undefined;
      if (this.isWholeObject) this.start = at;
      this.afterComma = false;
    }
    if (this.depth >= MAX_DEPTH) throw new MalformedFileError('it is nested too deeply');
    this.closers.push(OPENING.get(byte) as number);
  }

  private close(byte: number, chunk: Uint8Array, at: number): void {
    if (this.closers.pop() !== byte) throw new MalformedFileError('its brackets do not match');
    if (this.depth === 1 && this.elementDepth === 2) {
      if (this.isWholeObject) this.onElement(this.list!, parsed(this.taken(chunk, at + 1)));
      this.isWholeObject = false;
      this.list = undefined;
    }
    if (this.depth === 0) this.isOver = true;
  }

  private endElement(byte: number, chunk: Uint8Array, at: number): void {
    if (this.start === -1) {
      if (byte === COMMA || this.afterComma)
        throw new MalformedFileError(`its list of ${this.list ?? ''} has a stray comma`);
      return;
    }
    this.afterComma = byte === COMMA;
    this.onElement(this.list ?? '', parsed(this.taken(chunk, at)));
  }

  private taken(chunk: Uint8Array, end: number): string {
    const last = chunk.subarray(this.start, end);
    if (this.pending.length > 0) this.keep(last);
    const bytes =
      this.pending.length > 0 ? Buffer.concat(this.pending) : Buffer.from(last.buffer, last.byteOffset, last.length);
    this.pending = [];
    this.pendingBytes = 0;
    this.start = -1;
    return bytes.toString('utf8');
  }

  private keep(bytes: Uint8Array): void {
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > MAX_ELEMENT_BYTES) throw new MalformedFileError('one of its entries is too large');
    this.pending.push(bytes);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedFileError(`${JSON.stringify(text.slice(0, 60))} is not JSON`);
  }
}
