/** Bytes that arrive in parts, which are copied: the sender chooses their size, and a part of one byte takes a hundred to keep. */
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
