import type { Box, MediaRow } from '../../../../common/engine/media-table/media-row';

/** Boxes with at least this intersection over union mark the same object. */
const SAME_OVERLAP = 0.9;

export type MarkedObject = Pick<MediaRow, 'box' | 'labels'>;

/** Whether the same object is already marked with the same label. */
export const isMarked = (found: MarkedObject, marked: readonly MarkedObject[]): boolean =>
  marked.some(
    ({ box, labels }) =>
      found.labels.every((label) => labels.includes(label)) &&
      box !== null &&
      found.box !== null &&
      overlapOf(box, found.box) >= SAME_OVERLAP,
  );

/** Intersection over union. */
export function overlapOf(a: Box, b: Box): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (across <= 0 || down <= 0) return 0;
  const shared = across * down;
  return shared / (a.width * a.height + b.width * b.height - shared);
}

/** Converts fractions to pixels of a picture of this size. */
export const inPixels = (box: Box, { width, height }: Pick<MediaRow, 'width' | 'height'>): Box => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
});
