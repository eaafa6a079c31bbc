import type { BoxNumbers } from '../annotations/annotation';
import type { FileAnnotation } from './file-picture';
import {
  attributesOf,
  defined,
  listOf,
  numberOf,
  numbersOf,
  objectOf,
  optional,
  textOf,
  type JsonObject,
} from './json-values';

/** An annotation as the API presents it. */
export function fromPresented(value: JsonObject): FileAnnotation {
  const { label, shape, bbox, confidence, area, attributes, crowd, ignored, id, track_id: track } = value;
  return defined({
    id: optional(id, textOf),
    label: textOf(label),
    box: optional(bbox, (numbers) => numbersOf(numbers) as unknown as BoxNumbers),
    ...shapeIn(objectOf(shape)),
    confidence: optional(confidence, numberOf),
    area: optional(area, numberOf),
    attributes: attributesOf(attributes),
    crowd: crowd === true ? (true as const) : undefined,
    ignored: ignored === true ? (true as const) : undefined,
    trackId: optional(track, textOf),
  });
}

function shapeIn(shape: JsonObject): Partial<FileAnnotation> {
  switch (shape['type']) {
    case 'box': {
      const { x, y, width, height, rotation } = shape;
      const box = [x, y, width, height].map(numberOf) as unknown as BoxNumbers;
      return { box, ...(typeof rotation === 'number' && { rotation }) };
    }
    case 'polygon':
      return { polygon: listOf(shape['rings']).map(numbersOf) };
    case 'mask': {
      const { width, height, counts } = shape;
      return { mask: { width: numberOf(width), height: numberOf(height), counts: textOf(counts) } };
    }
    case 'keypoints':
      return { keypoints: numbersOf(shape['points']) };
    default:
      return {};
  }
}
