import { randomUUID } from 'node:crypto';
import type { Box, MatchedObject, MediaRow } from '../../../common/engine/media-table/media-row';
import type { GivenObject } from './annotation';
import { inPixels, isMarked, overlapOf } from '../../tables';
import { pixelNumbers } from '../../versions';

/** Of boxes that only differ by floating-point noise. */
const SAME_BOX = 1 - 1e-9;

/** A given object with its box in pixels of the picture. */
export interface PlacedObject extends GivenObject {
  readonly pixels: Box;
  /** Of one that is made of an annotation. */
  readonly id?: string;
  /** The source beside the table that says it. */
  readonly source?: string;
}

type KnownObject = Pick<MediaRow, 'box' | 'labels' | 'generatedLabels'>;

export const fractions = (box: Box, { width, height }: Pick<MediaRow, 'width' | 'height'>): Box => ({
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

export const REMOVABLE_FIELDS = ['id', 'kind', 'parentId', 'generatedLabels', 'objectSource'] as const;
export type RemovableRow = Pick<MediaRow, (typeof REMOVABLE_FIELDS)[number]>;

/** The objects of a table that are removed. */
export interface RemovedObjects {
  has(row: RemovableRow): boolean;
  /** For a picture whose new objects could not be read. */
  keep(pictureId: string): void;
}

/** Which objects give way, by the id of their picture. */
export class ReplacedObjects implements RemovedObjects {
  private readonly origins = new Map<string, ReadonlySet<ObjectOrigin>>();

  replace(pictureId: string, objects: readonly GivenObject[]): void {
    this.origins.set(pictureId, originsReplacedBy(objects));
  }

  keep(pictureId: string): void {
    this.origins.delete(pictureId);
  }

  hasPredicted(pictureId: string): boolean {
    return this.origins.get(pictureId)?.has('predicted') === true;
  }

  has(row: RemovableRow): boolean {
    if (row.kind !== 'OBJECT' || row.parentId === null || row.objectSource !== null) return false;
    return this.origins.get(row.parentId)?.has(originOf(row)) === true;
  }
}

interface KnownInPicture {
  readonly objects: readonly KnownObject[];
  readonly matched: readonly MatchedObject[];
}

export interface NewInPicture {
  readonly objects: readonly PlacedObject[];
  /** Predictions of an object that the picture has already, as people or a model said. */
  readonly matched: readonly MatchedObject[];
}

/**
 * The given objects that a picture does not have yet: an object that people marked is the same as another one that they marked, and a
 * predicted one as any. A prediction is only left out if it was made before to the last digit.
 */
export function newObjects(
  given: readonly GivenObject[],
  size: Pick<MediaRow, 'width' | 'height'>,
  known: KnownInPicture = { objects: [], matched: [] },
): NewInPicture {
  const all = [...known.objects];
  const marked = all.filter((object) => originOf(object) === 'marked');
  const predicted: Prediction[] = all.flatMap(({ box, generatedLabels }) =>
    (generatedLabels ?? []).flatMap(({ label, confidence }) => (box === null ? [] : { label, confidence, box })),
  );
  for (const {
    label,
    confidence,
    box: [x, y, width, height],
  } of known.matched)
    predicted.push({ label, confidence, box: fractions({ x, y, width, height }, size) });
  const objects: PlacedObject[] = [];
  const matched: MatchedObject[] = [];
  // Marked objects come first.
  for (const object of given.toSorted((a, b) => Number(a.confidence !== null) - Number(b.confidence !== null))) {
    const { label, confidence } = object;
    const box = object.unit === 'fractions' ? object.box : fractions(object.box, size);
    const isInPixels = object.unit === 'pixels';
    const pixels = isInPixels ? object.box : inPixels(box, size);
    const generatedLabels = confidence === null ? null : [{ label, confidence, given: false }];
    const row: KnownObject = { box, labels: [label], generatedLabels };
    const isKnown = isMarked(row, confidence === null ? marked : all);
    if (confidence === null) {
      if (isKnown) continue;
      marked.push(row);
    } else {
      const prediction = { label, confidence, box };
      if (predicted.some((other) => isSame(other, prediction))) continue;
      predicted.push(prediction);
      if (isKnown) {
        const { x, y, width, height } = pixels;
        const numbers = isInPixels ? ([x, y, width, height] as const) : pixelNumbers(box, size.width, size.height);
        matched.push({ id: randomUUID(), label, confidence, box: numbers });
        continue;
      }
    }
    all.push(row);
    objects.push({ ...object, pixels });
  }
  return { objects, matched };
}

interface Prediction {
  readonly label: string;
  readonly confidence: number;
  /** In fractions; rows have only what is inside the picture. */
  readonly box: Box;
}

const isSame = (a: Prediction, b: Prediction): boolean =>
  a.label === b.label && a.confidence === b.confidence && isSameBox(a.box, b.box);

/** Whether boxes in fractions have the same inside the picture, but for floating-point noise. */
export const isSameBox = (a: Box, b: Box): boolean => overlapOf(inside(a), inside(b)) >= SAME_BOX;

function inside({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return { x: left, y: top, width: Math.min(1, x + width) - left, height: Math.min(1, y + height) - top };
}
