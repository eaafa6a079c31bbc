import { hash } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;

/** HMAC-SHA256 of short texts by one key: two one-shot hashes take half the time of an Hmac object. */
export class HmacSha256 {
  /** The two key blocks of HMAC, with room for the message. */
  private readonly inner = Buffer.alloc(8192);
  private readonly outer = Buffer.alloc(BLOCK + DIGEST);
  private readonly views: Buffer[] = [];

  /** Of a key of at most 64 bytes. */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK) throw new RangeError(`The key has ${key.length} bytes, more than ${BLOCK}`);
    for (let i = 0; i < BLOCK; i++) {
      const byte = key[i] ?? 0;
      this.inner[i] = byte ^ 0x36;
      this.outer[i] = byte ^ 0x5c;
    }
  }

  of(text: string, encoding: 'hex' | 'base64url'): string {
    const length = BLOCK + Buffer.byteLength(text);
    const isLong = length > this.inner.length;
    // One view per length is cached, because creating a view takes as long as hashing it.
    const blocks = isLong ? Buffer.alloc(length, this.inner) : (this.views[length] ??= this.inner.subarray(0, length));
    blocks.write(text, BLOCK);
    this.outer.write(hash('sha256', blocks, 'binary'), BLOCK, 'binary');
    return hash('sha256', this.outer, encoding);
  }
}
