import type { Pixels } from '../picture-model';

/** By Pillow's numbers, which `resample` in preprocessor_config.json uses. */
const FILTERS = {
  1: { support: 3, weight: lanczos },
  2: { support: 1, weight: (x: number) => Math.max(0, 1 - Math.abs(x)) },
  3: { support: 2, weight: cubic },
} as const;

export type ResampleFilter = keyof typeof FILTERS;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A region of the scaled picture. */
export interface Window extends Size {
  readonly left: number;
  readonly top: number;
}

function lanczos(x: number): number {
  if (Math.abs(x) >= 3) return 0;
  return sinc(x) * sinc(x / 3);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}

function cubic(x: number): number {
  const distance = Math.abs(x);
  if (distance < 1) return (1.5 * distance - 2.5) * distance * distance + 1;
  return distance < 2 ? ((-0.5 * distance + 2.5) * distance - 4) * distance + 2 : 0;
}

/** Pillow uses fixed-point numbers with this many fractional bits. */
const BITS = 22;
const HALF = 1 << (BITS - 1);

interface Taps {
  /** The first source position of each target position. */
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** `most` weights for each target position. */
  readonly weights: Int32Array;
  readonly most: number;
}

function tapsFor(from: number, to: number, first: number, length: number, filter: ResampleFilter): Taps {
  const { support, weight } = FILTERS[filter];
  const scale = from / to;
  const stretch = Math.max(1, scale);
  const reach = support * stretch;
  const most = Math.ceil(reach) * 2 + 1;
  const start = new Int32Array(length);
  const count = new Int32Array(length);
  const weights = new Int32Array(length * most);
  const own = new Float64Array(most);
  for (let at = 0; at < length; at++) {
    const centre = (first + at + 0.5) * scale;
    const low = Math.max(0, Math.trunc(centre - reach + 0.5));
    const high = Math.min(from, Math.trunc(centre + reach + 0.5));
    let sum = 0;
    for (let x = low; x < high; x++) sum += own[x - low] = weight((x - centre + 0.5) * (1 / stretch));
    for (let x = 0; x < high - low; x++) {
      const exact = (sum === 0 ? own[x]! : own[x]! / sum) * (1 << BITS);
      weights[at * most + x] = Math.trunc(exact < 0 ? exact - 0.5 : exact + 0.5);
    }
    start[at] = low;
    count[at] = high - low;
  }
  return { start, count, weights, most };
}

const clamped = (sum: number): number => {
  const level = sum >> BITS;
  return level < 0 ? 0 : level > 255 ? 255 : level;
};

/**
 * Scales to `size` exactly like Pillow's `Image.resize` and returns the window. Models were trained on pictures scaled like this; the kernels of
 * sharp and of the library weight neighbours differently.
 */
export function resizeAsPillow(source: Pixels, size: Size, filter: ResampleFilter, window: Window): Pixels {
  const { left, top, width, height } = window;
  const rows = size.height === source.height ? null : tapsFor(source.height, size.height, top, height, filter);
  const first = rows === null ? top : rows.start[0]!;
  const end = rows === null ? top + height : rows.start[height - 1]! + rows.count[height - 1]!;
  const narrow =
    size.width === source.width && width === source.width
      ? source.data.subarray(first * width * 3, end * width * 3)
      : horizontally(source, tapsFor(source.width, size.width, left, width, filter), first, end);
  return { data: rows === null ? narrow : vertically(narrow, rows, first, window), width, height };
}

function horizontally({ data, width }: Pixels, taps: Taps, top: number, bottom: number): Uint8Array {
  const { start, count, weights, most } = taps;
  const target = new Uint8Array((bottom - top) * start.length * 3);
  for (let y = top, to = 0; y < bottom; y++) {
    for (let x = 0; x < start.length; x++, to += 3) {
      let red = HALF;
      let green = HALF;
      let blue = HALF;
      let from = (y * width + start[x]!) * 3;
      const end = x * most + count[x]!;
      for (let tap = x * most; tap < end; tap++, from += 3) {
        const weight = weights[tap]!;
        red = (red + Math.imul(data[from]!, weight)) | 0;
        green = (green + Math.imul(data[from + 1]!, weight)) | 0;
        blue = (blue + Math.imul(data[from + 2]!, weight)) | 0;
      }
      target[to] = clamped(red);
      target[to + 1] = clamped(green);
      target[to + 2] = clamped(blue);
    }
  }
  return target;
}

function vertically(data: Uint8Array, taps: Taps, top: number, { width, height }: Size): Uint8Array {
  const { start, count, weights, most } = taps;
  const lineBytes = width * 3;
  const target = new Uint8Array(height * lineBytes);
  const sums = new Int32Array(lineBytes);
  for (let y = 0; y < height; y++) {
    sums.fill(HALF);
    for (let tap = 0; tap < count[y]!; tap++) {
      const weight = weights[y * most + tap]!;
      const line = (start[y]! + tap - top) * lineBytes;
      for (let at = 0; at < lineBytes; at++) sums[at]! += Math.imul(data[line + at]!, weight);
    }
    const to = y * lineBytes;
    for (let at = 0; at < lineBytes; at++) target[to + at] = clamped(sums[at]!);
  }
  return target;
}
