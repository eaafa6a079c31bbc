import type { Pixels } from '../picture-model';

/** OpenCV uses fixed-point weights for bytes, with this many fractional bits. */
const BITS = 11;

interface Taps {
  /** The two source positions of each target position. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly ofFirst: Int32Array;
  readonly ofSecond: Int32Array;
}

/** In the same order and precision as OpenCV. Only columns have no second position at the edges. */
function tapsFor(from: number, to: number, isColumn: boolean): Taps {
  const taps = {
    first: new Int32Array(to),
    second: new Int32Array(to),
    ofFirst: new Int32Array(to),
    ofSecond: new Int32Array(to),
  };
  const scale = 1 / (to / from);
  for (let at = 0; at < to; at++) {
    const place = Math.fround((at + 0.5) * scale - 0.5);
    const first = Math.floor(place);
    const isBeyond = first < 0 || first >= from - 1;
    const part = isColumn && isBeyond ? 0 : Math.fround(place - first);
    taps.first[at] = Math.min(from - 1, Math.max(0, first));
    taps.second[at] = Math.min(from - 1, Math.max(0, first + 1));
    taps.ofFirst[at] = roundToEven(Math.fround(1 - part) * (1 << BITS));
    taps.ofSecond[at] = roundToEven(part * (1 << BITS));
  }
  return taps;
}

/**
 * Scales exactly like OpenCV's `resize` with INTER_LINEAR, which does not smooth when it reduces. Detectors of Ultralytics are trained on pictures
 * scaled like this.
 */
export function resizeAsOpenCv({ data, width, height }: Pixels, toWidth: number, toHeight: number): Pixels {
  if (toWidth === width && toHeight === height) return { data, width, height };
  const columns = tapsFor(width, toWidth, true);
  const rows = tapsFor(height, toHeight, false);
  const target = new Uint8Array(toWidth * toHeight * 3);
  for (let y = 0, to = 0; y < toHeight; y++) {
    const upper = rows.first[y]! * width * 3;
    const lower = rows.second[y]! * width * 3;
    const ofUpper = rows.ofFirst[y]!;
    const ofLower = rows.ofSecond[y]!;
    for (let x = 0; x < toWidth; x++) {
      const left = columns.first[x]! * 3;
      const right = columns.second[x]! * 3;
      const ofLeft = columns.ofFirst[x]!;
      const ofRight = columns.ofSecond[x]!;
      for (let channel = 0; channel < 3; channel++, to++) {
        const above = data[upper + left + channel]! * ofLeft + data[upper + right + channel]! * ofRight;
        const below = data[lower + left + channel]! * ofLeft + data[lower + right + channel]! * ofRight;
        target[to] = ((((above >> 4) * ofUpper) >> 16) + (((below >> 4) * ofLower) >> 16) + 2) >> 2;
      }
    }
  }
  return { data: target, width: toWidth, height: toHeight };
}

/** Rounds halves to even, like Python and OpenCV. */
export function roundToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
