import type { Pixels } from './pixels';

interface Taps {
  /** First source position of each target position, and how many follow. */
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** Where the weights of each target position begin. */
  readonly at: Int32Array;
  readonly weights: Float32Array;
}

const KEPT_TAPS = 64;
const taps = new Map<number, Taps>();

function tapsFor(from: number, to: number): Taps {
  const key = from * 65536 + to;
  const known = taps.get(key);
  if (known) return known;
  if (taps.size >= KEPT_TAPS) taps.clear();
  const made = makeTaps(from, to);
  taps.set(key, made);
  return made;
}

/** Each target position averages the stretch of the source it covers; enlarging goes in straight lines. */
function makeTaps(from: number, to: number): Taps {
  const scale = from / to;
  const start = new Int32Array(to);
  const count = new Int32Array(to);
  const at = new Int32Array(to);
  const weights: number[] = [];
  for (let target = 0; target < to; target++) {
    const { first, own } =
      scale > 1 ? covered(target * scale, (target + 1) * scale, from) : between(target, scale, from);
    start[target] = first;
    count[target] = own.length;
    at[target] = weights.length;
    weights.push(...own);
  }
  return { start, count, at, weights: Float32Array.from(weights) };
}

function covered(left: number, right: number, from: number): { first: number; own: number[] } {
  const first = Math.floor(left + 1e-9);
  const last = Math.min(from - 1, Math.ceil(right - 1e-9) - 1);
  const own = Array.from({ length: last - first + 1 }, (_, i) => {
    return (Math.min(right, first + i + 1) - Math.max(left, first + i)) / (right - left);
  });
  return { first, own };
}

function between(target: number, scale: number, from: number): { first: number; own: number[] } {
  const centre = Math.max(0, Math.min(from - 1, (target + 0.5) * scale - 0.5));
  const first = Math.floor(centre);
  const share = centre - first;
  return { first, own: share === 0 ? [1] : [1 - share, share] };
}

/** Scales to exactly that size; the proportions are not kept. */
export function resizePixels(source: Pixels, width: number, height: number): Pixels {
  const vertical = tapsFor(source.height, height);
  const { start, count, at, weights } = tapsFor(source.width, width);
  const line = new Float32Array(source.width * 3);
  const data = new Uint8Array(width * height * 3);
  let to = 0;
  for (let y = 0; y < height; y++) {
    blendLines(source.data, vertical, y, line);
    for (let x = 0; x < width; x++) {
      let red = 0.5;
      let green = 0.5;
      let blue = 0.5;
      let from = start[x]! * 3;
      for (let i = at[x]!, end = i + count[x]!; i < end; i++, from += 3) {
        const weight = weights[i]!;
        red += weight * line[from]!;
        green += weight * line[from + 1]!;
        blue += weight * line[from + 2]!;
      }
      data[to++] = red;
      data[to++] = green;
      data[to++] = blue;
    }
  }
  return { data, width, height };
}

/** The source lines under one target line, weighed; two at a time, which halves the passes over `line`. */
function blendLines(data: Uint8Array, { start, count, at, weights }: Taps, y: number, line: Float32Array): void {
  const bytes = line.length;
  line.fill(0);
  for (let i = 0; i < count[y]!; i += 2) {
    const hasSecond = i + 1 < count[y]!;
    const first = (start[y]! + i) * bytes;
    const second = hasSecond ? first + bytes : first;
    const firstWeight = weights[at[y]! + i]!;
    const secondWeight = hasSecond ? weights[at[y]! + i + 1]! : 0;
    for (let x = 0; x < bytes; x++) line[x]! += firstWeight * data[first + x]! + secondWeight * data[second + x]!;
  }
}
