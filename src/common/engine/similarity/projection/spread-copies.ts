import { sharedFloat32 } from '../../arithmetic/shared-arrays';
import type { DistinctItems } from '../distinct-items';
import type { MapLayout } from '../similarity-structure';
import { rangeOf } from './unit-square';

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Relative to the mean distance of items. */
const BETWEEN_COPIES = 0.1;

/** Maps distinct items to all items: copies form a spiral around their original. Items whose vector is zero have no place. */
export function spreadCopies({ x, y }: MapLayout, { distinctOf, count, zeros }: DistinctItems): MapLayout {
  const total = distinctOf.length;
  const layout = { x: sharedFloat32(total), y: sharedFloat32(total) };
  const apart = BETWEEN_COPIES * (Math.max(widthOf(x), widthOf(y)) / Math.sqrt(Math.max(1, total)) || 1);
  const copies = new Int32Array(count);
  for (let at = 0; at < total; at++) {
    const row = distinctOf[at]!;
    const copy = copies[row]!++;
    const away = apart * Math.sqrt(copy);
    const hasPlace = !zeros.has(row);
    layout.x[at] = hasPlace ? x[row]! + away * Math.cos(copy * GOLDEN_ANGLE) : NaN;
    layout.y[at] = hasPlace ? y[row]! + away * Math.sin(copy * GOLDEN_ANGLE) : NaN;
  }
  return layout;
}

function widthOf(values: Float32Array): number {
  const [least, most] = rangeOf(values);
  return most - least;
}
