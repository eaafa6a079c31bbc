import { runsOf } from '../../annotations/mask-runs';
import { areaOf } from '../../annotations/shape-area';
import {
  EVERYTHING,
  FAST,
  type AnnotationFormat,
  type Holds,
  type Pictures,
  type WrittenSource,
} from '../annotation-format';
import { enclosingBox, exact } from '../convert-shapes';
import type { FileAnnotation, FilePicture, Skeleton } from '../file-picture';
import { jsonList, labelsOf, pointsOf, shapesOf } from '../list-texts';
import { LabelNumbers } from '../member-names';
import { skeletonFor } from '../skeletons';

const HOLDS: Holds = { ...EVERYTHING, rotation: false, rings: 'apart', masks: 'fitting' };

/** What COCO has no field for; its own readers ignore it. */
const presentOwn = ({ id, confidence, attributes, ignored, trackId }: FileAnnotation) => ({
  ...(confidence !== undefined && { score: confidence }),
  ...(attributes !== undefined && { attributes }),
  ...(ignored && { ignore: 1 }),
  ...(trackId !== undefined && { track_id: trackId }),
  annotation_id: id,
});

const presentLabel = (annotation: FileAnnotation) => ({
  label: annotation.label,
  ...(annotation.crowd && { iscrowd: 1 }),
  ...(annotation.area !== undefined && { area: annotation.area }),
  ...presentOwn(annotation),
});

function presentImage(picture: FilePicture, id: number) {
  const labels = labelsOf(picture);
  return {
    id,
    file_name: picture.path,
    width: picture.width,
    height: picture.height,
    labels: labels.map(({ label }) => label),
    label_annotations: labels.map(presentLabel),
  };
}

const areaIn = (annotation: FileAnnotation): number => {
  const area = areaOf(annotation);
  if (!Number.isNaN(area)) return exact(area);
  const box = enclosingBox(annotation);
  return box === undefined ? 0 : exact(box[2] * box[3]);
};

/** A crowd has uncompressed run lengths, as COCO's own do; others the compressed text. */
function segmentationOf({ mask, polygon, crowd }: FileAnnotation) {
  if (mask !== undefined) {
    const size = [mask.height, mask.width];
    return { segmentation: { size, counts: crowd ? runsOf(mask)! : mask.counts } };
  }
  return polygon === undefined ? {} : { segmentation: polygon };
}

function presentAnnotation(annotation: FileAnnotation, ids: { id: number; image_id: number; category_id: number }) {
  const { keypoints, crowd, box } = annotation;
  return {
    ...ids,
    bbox: box ?? enclosingBox(annotation) ?? [0, 0, 0, 0],
    area: areaIn(annotation),
    iscrowd: crowd ? 1 : 0,
    ...segmentationOf(annotation),
    ...(keypoints !== undefined && {
      keypoints,
      num_keypoints: pointsOf(keypoints).filter(([, , visibility]) => visibility > 0).length,
    }),
    ...presentOwn(annotation),
  };
}

/** Images and annotations are numbered from 1; `annotation_id` is the id in the source. */
export const cocoFormat: AnnotationFormat = {
  holds: HOLDS,
  walks: 2,
  write: (pictures, source) => [{ name: 'annotations.json', stream: text(pictures, source), level: FAST }],
};

async function* text(pictures: Pictures, { dataset, name, skeletons }: WrittenSource): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"info":${JSON.stringify({ description: dataset, source: name })},"images":`);
  let image = 0;
  yield* jsonList(pictures(), (picture) => [presentImage(picture, ++image)]);
  yield Buffer.from(',"annotations":');
  const categories = new LabelNumbers();
  const pointsIn = new Map<string, number>();
  let id = 0;
  image = 0;
  yield* jsonList(pictures(), (picture) => {
    image += 1;
    return shapesOf(picture).map((annotation) => {
      if (annotation.keypoints !== undefined) {
        const count = annotation.keypoints.length / 3;
        pointsIn.set(annotation.label, Math.max(count, pointsIn.get(annotation.label) ?? 0));
      }
      const ids = { id: ++id, image_id: image, category_id: categories.numberOf(annotation.label) + 1 };
      return presentAnnotation(annotation, ids);
    });
  });
  const named = categories.names.map((category, at) => {
    const points = pointsIn.get(category);
    const skeleton = points === undefined ? undefined : skeletonFor(skeletons, category, points);
    return presentCategory(category, at, skeleton);
  });
  yield Buffer.from(`,"categories":${JSON.stringify(named)}}`);
}

const presentCategory = (name: string, at: number, skeleton: Skeleton | undefined) => ({
  id: at + 1,
  name,
  ...(skeleton !== undefined && {
    keypoints: skeleton.points,
    skeleton: skeleton.edges.map(([from, to]) => [from + 1, to + 1]),
  }),
});
