import type { MapPlace } from '../../../../common/engine/media-table/media-row';
import type { MapLayout } from '../../../../common/engine/similarity/similarity-structure';

export function placeOf({ x, y }: MapLayout, item: number): MapPlace | null {
  return Number.isNaN(x[item]!) ? null : { x: x[item]!, y: y[item]! };
}
