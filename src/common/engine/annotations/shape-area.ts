import type { Annotation } from './annotation';
import { coveredBy, runsOf } from './mask-runs';

/** By the sum of cross products; positive whatever the direction. */
function areaOfRing(ring: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += ring[at]! * ring[next + 1]! - ring[next]! * ring[at + 1]!;
  }
  return Math.abs(twice) / 2;
}

/** In square pixels: as it was given, otherwise that of the shape; NaN for a label of a whole picture, and for keypoints without a box. */
export function areaOf({ area, mask, polygon, box }: Pick<Annotation, 'area' | 'mask' | 'polygon' | 'box'>): number {
  if (area !== undefined) return area;
  if (mask !== undefined) return coveredBy(runsOf(mask) ?? []);
  if (polygon !== undefined) return polygon.reduce((sum, ring) => sum + areaOfRing(ring), 0);
  return box === undefined ? NaN : box[2] * box[3];
}

/** With the area in its picture, if a mask of another size was given none: it is stretched over the picture. */
export function withArea<T extends Pick<Annotation, 'area' | 'mask'>>(
  annotation: T,
  { width, height }: { readonly width: number; readonly height: number },
): T {
  const { mask, area } = annotation;
  if (mask === undefined || area !== undefined || (mask.width === width && mask.height === height)) return annotation;
  return { ...annotation, area: areaOf({ mask }) * (width / mask.width) * (height / mask.height) };
}
