import { withoutExtension } from '../../../platform/text/file-names';
import type { AttributeValue } from '../../annotations/annotation';
import { EVERYTHING, FAST, type AnnotationFormat, type Pictures, type WrittenSource } from '../annotation-format';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { jsonList, pointsOf, ringOf } from '../list-texts';
import { LabelNumbers } from '../member-names';
import { skeletonFor } from '../skeletons';

function presentShape(annotation: FileAnnotation) {
  const { box, mask, keypoints, polygon } = annotation;
  if (keypoints !== undefined) {
    const points = pointsOf(keypoints);
    return {
      type: 'points',
      points: points.flatMap(([x, y]) => [x, y]),
      visibility: points.map(([, , visibility]) => visibility),
    };
  }
  if (mask !== undefined) return { type: 'mask', rle: { counts: mask.counts, size: [mask.height, mask.width] } };
  if (polygon !== undefined) return { type: 'polygon', points: ringOf(annotation) };
  return box === undefined ? { type: 'label' } : { type: 'bbox', bbox: box };
}

/** Names that Datumaro's own importers use for what its annotations have no field for. */
function attributesOf({ id, confidence, rotation, crowd, trackId, attributes }: FileAnnotation) {
  const own: Record<string, AttributeValue | undefined> = {
    annotation_id: id,
    score: confidence,
    rotation,
    is_crowd: crowd,
    track_id: trackId,
  };
  return { ...attributes, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) };
}

/** Annotations are numbered from 1; `annotation_id` is the id in the source. */
export const datumaroFormat: AnnotationFormat = {
  holds: { ...EVERYTHING, rings: 'one', masks: 'fitting', areas: false, ignored: false, boxBeside: false },
  walks: 1,
  write: (pictures, source) => [{ name: 'annotations/default.json', stream: text(pictures, source), level: FAST }],
};

async function* text(pictures: Pictures, { skeletons }: WrittenSource): AsyncGenerator<Buffer> {
  yield Buffer.from('{"dm_format_version":"1.0","media_type":2,"infos":{},"items":');
  const labels = new LabelNumbers();
  const pointsIn = new Map<number, number>();
  let id = 0;
  const presentItem = ({ path, width = 0, height = 0, annotations }: FilePicture) => ({
    id: withoutExtension(path),
    annotations: annotations.map((annotation) => {
      const label = labels.numberOf(annotation.label);
      const { keypoints } = annotation;
      if (keypoints !== undefined) pointsIn.set(label, Math.max(keypoints.length / 3, pointsIn.get(label) ?? 0));
      const numbers = { id: ++id, label_id: label, group: 0, z_order: 0 };
      return { ...numbers, ...presentShape(annotation), attributes: attributesOf(annotation) };
    }),
    image: { path, size: [height, width] },
  });
  yield* jsonList(pictures(), (picture) => [presentItem(picture)]);
  const points = Array.from(pointsIn, ([label, count]) => {
    const skeleton = skeletonFor(skeletons, labels.names[label]!, count);
    return { label_id: label, labels: skeleton.points, joints: skeleton.edges.map(([from, to]) => [from + 1, to + 1]) };
  });
  const categories = {
    label: {
      labels: labels.names.map((name) => ({ name, parent: '', attributes: [] })),
      label_groups: [],
      attributes: ['is_crowd'],
    },
    ...(points.length > 0 && { points: { attributes: [], items: points } }),
  };
  yield Buffer.from(`,"categories":${JSON.stringify(categories)}}`);
}
