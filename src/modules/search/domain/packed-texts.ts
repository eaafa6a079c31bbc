const FIRST_BYTES = 1024;
/** Of UTF-8, for one unit of a text. */
const MOST_BYTES_A_UNIT = 3;

/** Texts one after the other in UTF-8: a fraction of the memory of strings, and nothing for the garbage collector to walk. */
export class PackedTexts {
  private bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private ends = new Float64Array(FIRST_BYTES / 8);
  private count = 0;

  get length(): number {
    return this.count;
  }

  get byteLength(): number {
    return this.bytes.byteLength + this.ends.byteLength;
  }

  at(index: number): string {
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends[index - 1]!, this.ends[index]);
  }

  push(text: string): number {
    const start = this.count === 0 ? 0 : this.ends[this.count - 1]!;
    const most = start + MOST_BYTES_A_UNIT * text.length;
    if (most > this.bytes.length) this.bytes = grown(this.bytes, Math.max(most, 2 * this.bytes.length));
    if (this.count === this.ends.length) {
      const ends = new Float64Array(2 * this.count);
      ends.set(this.ends);
      this.ends = ends;
    }
    this.ends[this.count] = start + this.bytes.write(text, start);
    return this.count++;
  }

  /** Gives back the memory that was kept for more. */
  trim(): this {
    const end = this.count === 0 ? 0 : this.ends[this.count - 1]!;
    this.bytes = grown(this.bytes.subarray(0, end), end);
    this.ends = this.ends.slice(0, this.count);
    return this;
  }
}

function grown(bytes: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  bytes.copy(larger);
  return larger;
}
