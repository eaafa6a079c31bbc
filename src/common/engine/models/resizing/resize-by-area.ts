import type { Pixels } from '../picture-model';

interface Taps {
  /** The first source position of each target position, and the number of positions that follow. */
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** The index of the first weight of each target position. */
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

/** Each target position averages the source range that it covers; enlarging interpolates linearly. */
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

/**
 * Scales to exactly this size, ignoring the aspect ratio. sharp has no kernel that averages areas, so embeddings would differ from those in existing
 * datasets, and it is slower at these sizes (ADR 28).
 */
export function resizeByArea(source: Pixels, width: number, height: number): Pixels {
  const isWhole = source.width % width === 0 && source.height % height === 0;
  return { data: (isWhole ? averaged : weighed)(source, width, height), width, height };
}

/** Each target pixel is the average of a block of whole source pixels. */
function averaged({ data, ...source }: Pixels, width: number, height: number): Uint8Array {
  const lineBytes = source.width * 3;
  const [blockBytes, blockLines] = [(source.width / width) * 3, source.height / height];
  const share = 3 / (blockBytes * blockLines);
  const target = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, left = y * blockLines * lineBytes; x < width; x++, left += blockBytes, to += 3) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let line = 0, from = left; line < blockLines; line++, from += lineBytes) {
        for (let at = from; at < from + blockBytes; at += 3) {
          red += data[at]!;
          green += data[at + 1]!;
          blue += data[at + 2]!;
        }
      }
      target[to] = red * share + 0.5;
      target[to + 1] = green * share + 0.5;
      target[to + 2] = blue * share + 0.5;
    }
  }
  return target;
}

function weighed({ data, ...source }: Pixels, width: number, height: number): Uint8Array {
  const rows = tapsFor(source.height, height);
  const { start, count, at, weights } = tapsFor(source.width, width);
  const lineBytes = source.width * 3;
  const target = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    const top = rows.start[y]! * lineBytes;
    const firstRow = rows.at[y]!;
    const endRow = firstRow + rows.count[y]!;
    for (let x = 0; x < width; x++, to += 3) {
      let red = 0.5;
      let green = 0.5;
      let blue = 0.5;
      const first = at[x]!;
      const end = first + count[x]!;
      for (let row = firstRow, line = top + start[x]! * 3; row < endRow; row++, line += lineBytes) {
        const rowWeight = rows.weights[row]!;
        for (let i = first, from = line; i < end; i++, from += 3) {
          const weight = rowWeight * weights[i]!;
          red += weight * data[from]!;
          green += weight * data[from + 1]!;
          blue += weight * data[from + 2]!;
        }
      }
      target[to] = red;
      target[to + 1] = green;
      target[to + 2] = blue;
    }
  }
  return target;
}
