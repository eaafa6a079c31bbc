import { boundsOf, filledBy, type Shape, type ShownAnnotation, type Size } from '../annotations/shapes';
import { handlesOf, type Place, type PlacedHandle } from './shape-changes';

const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The nearest of some handles that is not further away than `reach`. */
export function handleAt(handles: readonly PlacedHandle[], place: Place, reach: number): PlacedHandle | undefined {
  let [found, least]: [PlacedHandle | undefined, number] = [undefined, reach];
  for (const handle of handles) {
    const away = distance(handle, place);
    if (away > least) continue;
    [found, least] = [handle, away];
  }
  return found;
}

function fromLine(place: Place, from: Place, to: Place): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : ((place.x - from.x) * dx + (place.y - from.y) * dy) / length;
  const along = Math.max(0, Math.min(1, share));
  return distance(place, { x: from.x + along * dx, y: from.y + along * dy });
}

function cornersOf(shape: Shape): readonly (readonly Place[])[] {
  if (shape.type === 'polygon')
    return shape.rings.map((ring) =>
      Array.from({ length: Math.floor(ring.length / 2) }, (_, at) => ({ x: ring[2 * at]!, y: ring[2 * at + 1]! })),
    );
  if (shape.type !== 'box') return [];
  return [handlesOf(shape, 0).filter(({ handle }) => handle.kind === 'side' && handle.across * handle.down !== 0)];
}

/** Whether a point is inside an odd number of rings. */
function isInside(rings: readonly (readonly Place[])[], { x, y }: Place): boolean {
  let inside = false;
  for (const ring of rings)
    ring.forEach((to, at) => {
      const from = ring.at(at - 1)!;
      if (from.y > y !== to.y > y && x < ((from.x - to.x) * (y - to.y)) / (from.y - to.y) + to.x) inside = !inside;
    });
  return inside;
}

/** The edge of a polygon that is nearest, as the point that it begins with. */
export function edgeAt(
  shape: Shape,
  place: Place,
  reach: number,
): { readonly ring: number; readonly at: number } | undefined {
  if (shape.type !== 'polygon') return undefined;
  let [found, least]: [{ ring: number; at: number } | undefined, number] = [undefined, reach];
  cornersOf(shape).forEach((ring, number) =>
    ring.forEach((from, at) => {
      const away = fromLine(place, from, ring[(at + 1) % ring.length]!);
      if (away > least) return;
      [found, least] = [{ ring: number, at }, away];
    }),
  );
  return found;
}

function isAt(shape: Shape, place: Place, reach: number, size: Size): boolean {
  const rings = cornersOf(shape);
  if (shape.type === 'keypoints') return handleAt(handlesOf(shape, 0), place, reach) !== undefined;
  if (shape.type === 'mask') return isFilled(shape, place, size);
  return (
    isInside(rings, place) ||
    rings.some((ring) => ring.some((to, at) => fromLine(place, ring.at(at - 1)!, to) <= reach))
  );
}

function isFilled(mask: Extract<Shape, { type: 'mask' }>, { x, y }: Place, { width, height }: Size): boolean {
  const [column, row] = [(x * mask.width) / width, (y * mask.height) / height];
  return filledBy(mask).some(
    ([left, top, across, down]) => column >= left && column < left + across && row >= top && row < top + down,
  );
}

function isInBounds(shape: Shape, { x, y }: Place, reach: number, size: Size): boolean {
  const bounds = boundsOf(shape, size);
  if (bounds === undefined) return false;
  const { left, top, right, bottom } = bounds;
  return x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach;
}

/** The smallest shape at a place. */
export function shapeAt<Each extends Pick<ShownAnnotation, 'shape'>>(
  annotations: readonly Each[],
  place: Place,
  reach: number,
  size: Size,
): Each | undefined {
  let [found, least]: [Each | undefined, number] = [undefined, Infinity];
  for (const annotation of annotations) {
    const { shape } = annotation;
    if (shape === null || !isInBounds(shape, place, reach, size) || !isAt(shape, place, reach, size)) continue;
    const { left, top, right, bottom } = boundsOf(shape, size)!;
    const area = (right - left) * (bottom - top);
    if (area >= least) continue;
    [found, least] = [annotation, area];
  }
  return found;
}
