import type { Box, MediaRow } from '../../../common/engine/media-table/media-row';
import { inPixels, isMarked } from '../../tables';
import type { GivenObject } from './annotation';
import { originOf } from './replaced-objects';

/** A given object with its box in pixels of the picture. */
export interface PlacedObject extends GivenObject {
  readonly pixels: Box;
}

type KnownObject = Pick<MediaRow, 'box' | 'labels' | 'generatedLabels'>;

/**
 * The given objects that a picture does not have yet: an object that people marked is the same as another one that they marked, and a
 * predicted one as any.
 */
export function newObjects(
  given: readonly GivenObject[],
  size: Pick<MediaRow, 'width' | 'height'>,
  known: readonly KnownObject[] = [],
): PlacedObject[] {
  const all = [...known];
  const marked = known.filter((object) => originOf(object) === 'marked');
  const added: PlacedObject[] = [];
  // Marked objects come first.
  for (const object of given.toSorted((a, b) => Number(a.confidence !== null) - Number(b.confidence !== null))) {
    const { label, confidence } = object;
    const box = object.unit === 'fractions' ? object.box : fractions(object.box, size);
    const row: KnownObject = {
      box,
      labels: [label],
      generatedLabels: confidence === null ? null : [{ label, confidence, given: false }],
    };
    if (isMarked(row, confidence === null ? marked : all)) continue;
    all.push(row);
    if (confidence === null) marked.push(row);
    added.push({ ...object, pixels: object.unit === 'pixels' ? object.box : inPixels(box, size) });
  }
  return added;
}

const fractions = (box: Box, { width, height }: Pick<MediaRow, 'width' | 'height'>): Box => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
});
