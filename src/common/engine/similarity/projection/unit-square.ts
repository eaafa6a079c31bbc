import type { MapLayout } from '../similarity-structure';

/** Kept free round the places. */
const MARGIN = 0.01;

/** Scales places into the unit square, as large as fits, with the aspect kept; NaN stays. */
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

/** Without NaN; infinite if there is nothing else. */
export function rangeOf(values: Float32Array): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
