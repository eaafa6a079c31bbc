/**
 * Collects bytes that arrive in parts. They are copied, because the sender chooses the size of the parts, and a buffer of one byte takes a hundred
 * bytes of memory.
 */
export class GatheredBytes {
  private bytes = Buffer.allocUnsafeSlow(0);
  private size = 0;

  add(part: Uint8Array): void {
    const needed = this.size + part.length;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
      grown.set(this.bytes.subarray(0, this.size));
      this.bytes = grown;
    }
    this.bytes.set(part, this.size);
    this.size = needed;
  }

  whole(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.size);
  }
}
