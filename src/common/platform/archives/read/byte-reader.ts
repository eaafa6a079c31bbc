import { cutShort } from './archive-errors';

const NOTHING = Buffer.alloc(0);

/** Reads a stream of bytes forward, in the pieces that a format is made of; holds no more than one of them. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Uint8Array, unknown>;
  private held: Buffer = NOTHING;
  private passed = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** How many bytes were taken so far. */
  get position(): number {
    return this.passed;
  }

  /** The next bytes without taking them; fewer at the end of the stream. */
  async peek(count: number): Promise<Buffer> {
    if (this.held.length < count) await this.gather(count);
    return this.held.subarray(0, count);
  }

  async take(count: number): Promise<Buffer> {
    const bytes = await this.peek(count);
    if (bytes.length < count) throw cutShort();
    this.held = this.held.subarray(count);
    this.passed += count;
    return bytes;
  }

  /** Whatever there is, at most `count` bytes. */
  async takeSome(count = Infinity): Promise<Buffer> {
    const bytes = await this.peekSome();
    return this.take(Math.min(count, bytes.length));
  }

  /** Whatever there is, at least a byte and all that is held. */
  async peekSome(): Promise<Buffer> {
    if (this.held.length === 0) await this.gather(1);
    if (this.held.length === 0) throw cutShort();
    return this.held;
  }

  /** The last bytes taken turn out to belong to what follows. */
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
