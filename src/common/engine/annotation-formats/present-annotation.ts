import { shapeKindOf } from '../annotations/annotation';
import type { FileAnnotation } from './file-picture';

/** As the API presents shapes. */
export function presentShape(annotation: FileAnnotation) {
  const { box, rotation, polygon, mask, keypoints } = annotation;
  switch (shapeKindOf(annotation)) {
    case 'label':
      return null;
    case 'box': {
      const [x, y, width, height] = box!;
      return { type: 'box', x, y, width, height, ...(rotation !== undefined && { rotation }) };
    }
    case 'polygon':
      return { type: 'polygon', rings: polygon! };
    case 'mask':
      return { type: 'mask', ...mask! };
    case 'keypoints':
      return { type: 'keypoints', points: keypoints! };
  }
}

/** As the API presents annotations, and the box beside another shape. */
export const presentAnnotation = (annotation: FileAnnotation) => ({
  id: annotation.id ?? null,
  label: annotation.label,
  shape: presentShape(annotation),
  bbox: annotation.box ?? null,
  confidence: annotation.confidence ?? null,
  area: annotation.area ?? null,
  attributes: { ...annotation.attributes },
  crowd: annotation.crowd === true,
  ignored: annotation.ignored === true,
  track_id: annotation.trackId ?? null,
});
