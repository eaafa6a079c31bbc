import { FAST, PLAIN, type AnnotationFormat, type Pictures, type WrittenSource } from '../annotation-format';
import { turnedAround } from '../convert-shapes';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { jsonList, pairsOf, ringOf } from '../list-texts';
import { brushOf } from './brush-mask';

const PERCENT = 100;

/** More digits than are read, so that what was read is written in the same way. */
const DIGITS = 15;

const percent = (value: number, whole: number): number => Number(((value / whole) * PERCENT).toPrecision(DIGITS));

type Size = Required<Pick<FilePicture, 'width' | 'height'>>;

/** Label Studio turns a box around its upper left corner. */
function presentBox({ box, rotation = 0, label }: FileAnnotation, { width, height }: Size) {
  const [x, y, w, h] = box!;
  const [left, top] = turnedAround([x, y], [x + w / 2, y + h / 2], rotation);
  return {
    type: 'rectanglelabels',
    from_name: 'box',
    value: {
      x: percent(left!, width),
      y: percent(top!, height),
      width: percent(w, width),
      height: percent(h, height),
      rotation,
      rectanglelabels: [label],
    },
  };
}

function presentShape(annotation: FileAnnotation, { width, height }: Size) {
  const { box, polygon, mask, label } = annotation;
  if (mask !== undefined)
    return {
      type: 'brushlabels',
      from_name: 'brush',
      value: { format: 'rle', rle: brushOf(mask), brushlabels: [label] },
    };
  if (polygon !== undefined) {
    const points = pairsOf(ringOf(annotation)).map(([x, y]) => [percent(x, width), percent(y, height)]);
    return { type: 'polygonlabels', from_name: 'polygon', value: { points, closed: true, polygonlabels: [label] } };
  }
  if (box === undefined) return { type: 'choices', from_name: 'label', value: { choices: [label] } };
  return presentBox(annotation, { width, height });
}

const presentResult = (annotation: FileAnnotation, size: Size) => ({
  id: annotation.id,
  ...presentShape(annotation, size),
  to_name: 'image',
  original_width: size.width,
  original_height: size.height,
  image_rotation: 0,
  ...(annotation.confidence !== undefined && { score: annotation.confidence }),
});

/** What has a confidence is a prediction. */
function presentTask({ path, width = 1, height = 1, annotations }: FilePicture, id: number, { name }: WrittenSource) {
  const resultsOf = (isPrediction: boolean) =>
    annotations
      .filter(({ confidence }) => (confidence !== undefined) === isPrediction)
      .map((annotation) => presentResult(annotation, { width, height }));
  const [said, predicted] = [resultsOf(false), resultsOf(true)];
  return {
    id,
    data: { image: path },
    annotations: said.length === 0 ? [] : [{ id, result: said }],
    predictions: predicted.length === 0 ? [] : [{ id, model_version: name, result: predicted }],
  };
}

/** A list of tasks. */
export const labelStudioFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'mask', keypoints: 'box' },
    masks: 'in-rows',
    rotation: true,
    confidence: true,
    ids: true,
  },
  walks: 1,
  write: (pictures, source) => [{ name: 'tasks.json', stream: text(pictures, source), level: FAST }],
};

function text(pictures: Pictures, source: WrittenSource): AsyncGenerator<Buffer> {
  let id = 0;
  return jsonList(pictures(), (picture) => [presentTask(picture, ++id, source)]);
}
