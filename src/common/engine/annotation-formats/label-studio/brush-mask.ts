import type { Mask } from '../../annotations/annotation';
import type { Span } from '../mask-lines';
import { isBitmapSize, maskOfRows, runsOfSpans, spansInRows } from '../mask-rows';

const CHANNELS = 4;
const ALPHA = 3;
/** A pixel counts that the brush covers by half. */
const LEAST_ALPHA = 128;
const COVERED = 255;
const BYTE = 8;
/** The bits of the lengths that Label Studio chooses from. */
const LENGTH_BITS = [3, 4, 8, 16] as const;
const MAX_LENGTH = 2 ** 16;

/** Numbers of any length in bits. */
class Bits {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** NaN after the end. */
  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++) {
      const byte = this.bytes[this.at >> 3];
      if (byte === undefined) return NaN;
      value = value * 2 + ((byte >> (7 - (this.at & 7))) & 1);
      this.at += 1;
    }
    return value;
  }
}

/** The same, written. */
class WrittenBits {
  readonly bytes: number[] = [];
  private left = 0;

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      if (this.left === 0) {
        this.bytes.push(0);
        this.left = BYTE;
      }
      this.left -= 1;
      this.bytes[this.bytes.length - 1]! |= (Math.floor(value / 2 ** bit) & 1) << this.left;
    }
  }
}

/**
 * The alpha of a brush, whose values of red, green, blue and alpha in rows are packed as runs of one value, or of so many single values. Undefined if
 * they do not fill the picture.
 */
export function brushMask(bytes: Uint8Array, width: number, height: number): Mask | undefined {
  if (!isBitmapSize(width, height)) return undefined;
  const spans = spansOfAlpha(new Bits(bytes), width * height * CHANNELS);
  return spans && maskOfRows(spans, width, height);
}

function spansOfAlpha(bits: Bits, values: number): Span[] | undefined {
  const total = bits.read(32);
  const valueBits = bits.read(5) + 1;
  const lengthBits = [0, 1, 2, 3].map(() => bits.read(4) + 1);
  if (total !== values) return undefined;
  const spans: Span[] = [];
  const pixelFrom = (at: number): number => Math.ceil((at - ALPHA) / CHANNELS);
  for (let at = 0; at < total;) {
    const isRun = bits.read(1) === 1;
    const end = at + 1 + bits.read(lengthBits[bits.read(2)] ?? 1);
    if (!(end <= total)) return undefined;
    for (const stop = end; at < stop;) {
      const next = isRun ? stop : at + 1;
      const value = bits.read(valueBits);
      if (Number.isNaN(value)) return undefined;
      if (value >= LEAST_ALPHA && pixelFrom(next) > pixelFrom(at)) spans.push([pixelFrom(at), pixelFrom(next)]);
      at = next;
    }
  }
  return spans;
}

/** A mask as Label Studio packs a brush, which covers its pixels wholly. */
export function brushOf(mask: Mask): readonly number[] {
  const bits = new WrittenBits();
  const pixels = mask.width * mask.height;
  bits.write(pixels * CHANNELS, 32);
  bits.write(BYTE - 1, 5);
  for (const count of LENGTH_BITS) bits.write(count - 1, 4);
  for (const [place, run] of runsOfSpans(spansInRows(mask), pixels).entries())
    for (let left = run * CHANNELS; left > 0; left -= MAX_LENGTH) {
      const length = Math.min(left, MAX_LENGTH) - 1;
      const size = LENGTH_BITS.findIndex((count) => length < 2 ** count);
      bits.write(1, 1);
      bits.write(size, 2);
      bits.write(length, LENGTH_BITS[size]!);
      bits.write(place % 2 === 1 ? COVERED : 0, BYTE);
    }
  return bits.bytes;
}
