import { yieldTurn } from '../../../../common/platform/concurrency/in-slices';

const FIRST_BYTES = 1024;
/** A few milliseconds. */
const FOUND_AT_ONCE = 2 ** 15;
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
    return this.bytes.toString('utf8', this.startOf(index), this.ends[index]);
  }

  /** Takes each text that contains the given one, or is it. No character of UTF-8 begins inside another, so bytes can be compared. */
  async find(text: string, isWhole: boolean, take: (index: number) => void): Promise<void> {
    const wanted = Buffer.from(text);
    const end = this.startOf(this.count);
    let index = 0;
    for (let [from, found] = [0, 0]; from < end; found++) {
      if (found % FOUND_AT_ONCE === FOUND_AT_ONCE - 1) await yieldTurn();
      const at = this.bytes.indexOf(wanted, from);
      if (at < 0 || at >= end) return;
      index = this.indexAt(at, index);
      const [start, stop] = [this.startOf(index), this.ends[index]!];
      const isInside = at + wanted.length <= stop;
      if (isInside && (!isWhole || (at === start && at + wanted.length === stop))) take(index);
      from = stop;
    }
  }

  push(text: string): number {
    const start = this.startOf(this.count);
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
    const end = this.startOf(this.count);
    this.bytes = grown(this.bytes.subarray(0, end), end);
    this.ends = this.ends.slice(0, this.count);
    return this;
  }

  private startOf(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  /** The text that a byte belongs to, which is not before `from`. */
  private indexAt(byte: number, from: number): number {
    let [low, high] = [from, this.count - 1];
    // Mostly the next one or the one after it.
    for (let step = 1; low + step < high && this.ends[low + step]! <= byte; step *= 2) low += step;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle]! > byte) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function grown(bytes: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  bytes.copy(larger);
  return larger;
}
