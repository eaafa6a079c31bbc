import { withArea } from '../../../common/engine/annotations/shape-area';
import type { FileAnnotation } from '../../../common/engine/annotation-formats/file-picture';

const TRIPLE = 3;

/** An annotation of a picture of this size, which is not needed if its coordinates are pixels already and it has no mask. */
export function inPixels(
  { unit, ...annotation }: FileAnnotation,
  size: { readonly width: number; readonly height: number } | undefined,
): Omit<FileAnnotation, 'unit'> {
  if (size === undefined) return annotation;
  if (unit !== 'fractions') return withArea(annotation, size);
  const { width, height } = size;
  const { box, polygon, keypoints } = annotation;
  const scaled = (ring: readonly number[]): number[] =>
    ring.map((value, at) => value * (at % 2 === 0 ? width : height));
  return {
    ...annotation,
    ...(box !== undefined && { box: [box[0] * width, box[1] * height, box[2] * width, box[3] * height] }),
    ...(polygon !== undefined && { polygon: polygon.map(scaled) }),
    ...(keypoints !== undefined && {
      keypoints: keypoints.map((value, at) => value * ([width, height][at % TRIPLE] ?? 1)),
    }),
  };
}
