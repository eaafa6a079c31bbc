import type { MapLayout } from '../similarity-structure';

/** The empty border around the places. */
const MARGIN = 0.01;

/** Scales places to fill the unit square without changing their aspect ratio. NaN is kept. */
export function fitUnitSquare({ x, y }: MapLayout): void {
  const [left, right] = rangeOf(x);
  const [top, bottom] = rangeOf(y);
  const size = Math.max(right - left, bottom - top);
  const scale = size > 0 ? (1 - 2 * MARGIN) / size : 0;
  for (let at = 0; at < x.length; at++) {
    x[at] = 0.5 + (x[at]! - (left + right) / 2) * scale;
    y[at] = 0.5 + (y[at]! - (top + bottom) / 2) * scale;
  }
}

/** Ignores NaN; infinite if all values are NaN. */
export function rangeOf(values: Float32Array): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
