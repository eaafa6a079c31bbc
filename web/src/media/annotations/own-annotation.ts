import type { components } from 'dataset-media-service-sdk';
import { boundsOf, type ShownAnnotation, type Size } from './shapes';

type ObjectDetail = Pick<components['schemas']['MediaDetail'], 'media_id' | 'label' | 'label_sources' | 'bounding_box'>;

/** Pixels. Objects are cut at whole ones. */
const TOLERANCE = 1;

/** What says that there is an object: the annotation with its id or, where its id is derived, those of its source with its label and box. */
export function ownAnnotations(
  object: ObjectDetail,
  ofPicture: readonly ShownAnnotation[],
  picture: Size,
): readonly ShownAnnotation[] {
  const named = ofPicture.filter(({ id }) => id === object.media_id);
  if (named.length > 0) return named;
  const sources = object.label_sources.map(({ annotation_source: source }) => source);
  return ofPicture.filter(
    ({ label, source, shape }) =>
      label === object.label && sources.includes(source) && shape !== null && isAround(object, shape, picture),
  );
}

function isAround({ bounding_box: box }: ObjectDetail, shape: NonNullable<ShownAnnotation['shape']>, size: Size) {
  const bounds = boundsOf(shape, size);
  if (bounds === undefined || box === null) return false;
  const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  const isNear = (value: number, fraction: number, most: number): boolean =>
    Math.abs(within(value, most) - fraction * most) <= TOLERANCE;
  return (
    isNear(bounds.left, box.x, size.width) &&
    isNear(bounds.right, box.x + box.width, size.width) &&
    isNear(bounds.top, box.y, size.height) &&
    isNear(bounds.bottom, box.y + box.height, size.height)
  );
}
