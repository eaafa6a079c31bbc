import type { Mask } from '../../annotations/annotation';
import { PixelMask } from '../pixel-mask';

const CHANNELS = 4;
const ALPHA = 3;
/** A pixel counts that the brush covers by half. */
const LEAST_ALPHA = 128;

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

/**
 * The alpha of a brush, whose values of red, green, blue and alpha in rows are packed as runs of one value, or of so many single values. Undefined if
 * they do not fill the picture.
 */
export function brushMask(bytes: Uint8Array, width: number, height: number): Mask | undefined {
  const pixels = PixelMask.of(width, height);
  const bits = new Bits(bytes);
  const total = bits.read(32);
  const valueBits = bits.read(5) + 1;
  const lengthBits = [0, 1, 2, 3].map(() => bits.read(4) + 1);
  if (pixels === undefined || total !== width * height * CHANNELS) return undefined;
  const put = (at: number, value: number): void => {
    const pixel = (at - ALPHA) / CHANNELS;
    if (value >= LEAST_ALPHA) pixels.set(pixel % width, Math.floor(pixel / width));
  };
  for (let at = 0; at < total;) {
    const isRun = bits.read(1) === 1;
    const end = at + 1 + bits.read(lengthBits[bits.read(2)] ?? 1);
    if (!(end <= total)) return undefined;
    let value = isRun ? bits.read(valueBits) : 0;
    for (; at < end; at++) {
      if (!isRun) value = bits.read(valueBits);
      if (Number.isNaN(value)) return undefined;
      if (at % CHANNELS === ALPHA) put(at, value);
    }
  }
  return pixels.mask;
}
