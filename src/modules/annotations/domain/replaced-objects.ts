import type { MediaRow, Box } from '../../../common/engine/media-table/media-row';
import type { GivenObject } from './annotation';
import { inPixels, isMarked } from '../../tables';

/** A given object with its box in pixels of the picture. */
export interface PlacedObject extends GivenObject {
  readonly pixels: Box;
}

type KnownObject = Pick<MediaRow, 'box' | 'labels' | 'generatedLabels'>;

const fractions = (box: Box, { width, height }: Pick<MediaRow, 'width' | 'height'>): Box => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
});

/** Whether people marked an object, or a model predicted it. */
export type ObjectOrigin = 'marked' | 'predicted';

export const originOf = ({ generatedLabels }: Pick<MediaRow, 'generatedLabels'>): ObjectOrigin =>
  generatedLabels === null ? 'marked' : 'predicted';

/** The objects of a picture that the given ones replace; without given ones, the marked objects. */
export function originsReplacedBy(objects: readonly GivenObject[]): ReadonlySet<ObjectOrigin> {
  if (objects.length === 0) return new Set(['marked']);
  return new Set(objects.map(({ confidence }) => (confidence === null ? 'marked' : 'predicted')));
}

/** Which objects give way, by the id of their picture. */
export class ReplacedObjects {
  private readonly origins = new Map<string, ReadonlySet<ObjectOrigin>>();

  replace(pictureId: string, objects: readonly GivenObject[]): void {
    this.origins.set(pictureId, originsReplacedBy(objects));
  }

  /** For a picture whose new objects could not be read. */
  keep(pictureId: string): void {
    this.origins.delete(pictureId);
  }

  has(row: Pick<MediaRow, 'kind' | 'parentId' | 'generatedLabels'>): boolean {
    if (row.kind !== 'OBJECT' || row.parentId === null) return false;
    return this.origins.get(row.parentId)?.has(originOf(row)) === true;
  }
}

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
