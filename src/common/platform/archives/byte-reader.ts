import { truncated } from './archive-member';

const NOTHING = Buffer.alloc(0);

/** Reads a byte stream forward in pieces of requested lengths. Holds at most one piece in memory. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Uint8Array, unknown>;
  private held: Buffer = NOTHING;
  private passed = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The number of bytes consumed so far. */
  get position(): number {
    return this.passed;
  }

  /** Returns the next bytes without consuming them; fewer at the end of the stream. */
  async peek(count: number): Promise<Buffer> {
    if (this.held.length < count) await this.gather(count);
    return this.held.subarray(0, count);
  }

  async take(count: number): Promise<Buffer> {
    const bytes = await this.peek(count);
    if (bytes.length < count) throw truncated();
    this.held = this.held.subarray(count);
    this.passed += count;
    return bytes;
  }

  /** Takes the bytes available, up to `count`. */
  async takeSome(count = Infinity): Promise<Buffer> {
    const bytes = await this.peekSome();
    return this.take(Math.min(count, bytes.length));
  }

  /** Returns the bytes available without consuming them: at least one, and all that are buffered. */
  async peekSome(): Promise<Buffer> {
    if (this.held.length === 0) await this.gather(1);
    if (this.held.length === 0) throw truncated();
    return this.held;
  }

  /** Puts back the last bytes taken, because they belong to the next part. */
  putBack(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.held = this.held.length === 0 ? bytes : Buffer.concat([bytes, this.held]);
    this.passed -= bytes.length;
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  private async gather(count: number): Promise<void> {
    const parts = this.held.length === 0 ? [] : [this.held];
    let length = this.held.length;
    while (length < count) {
      const next = await this.chunks.next();
      if (next.done === true) break;
      const { buffer, byteOffset, byteLength } = next.value;
      parts.push(Buffer.from(buffer, byteOffset, byteLength));
      length += byteLength;
    }
    this.held = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}
