import { PLAIN, type AnnotationFormat } from '../annotation-format';
import { exact } from '../convert-shapes';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { labelsOf, pairsOf, ringOf, shapesOf } from '../list-texts';
import { MemberNames } from '../member-names';

const VERSION = '5.5.0';

function presentShape(annotation: FileAnnotation) {
  const { label, box } = annotation;
  const rest = { group_id: null, description: '', flags: {}, mask: null };
  if (box === undefined) return { label, points: pairsOf(ringOf(annotation)), shape_type: 'polygon', ...rest };
  const [x, y, width, height] = box;
  const points = [
    [x, y],
    [exact(x + width), exact(y + height)],
  ];
  return { label, points, shape_type: 'rectangle', ...rest };
}

const documentOf = (picture: FilePicture) => ({
  version: VERSION,
  flags: Object.fromEntries(labelsOf(picture).map(({ label }) => [label, true])),
  shapes: shapesOf(picture).map(presentShape),
  imagePath: picture.path.slice(picture.path.lastIndexOf('/') + 1),
  imageData: null,
  imageHeight: picture.height,
  imageWidth: picture.width,
});

/** A file beside each picture; labels of whole pictures are its flags. */
export const labelmeFormat: AnnotationFormat = {
  holds: { ...PLAIN, shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'polygon', keypoints: 'box' } },
  walks: 1,
  async *write(pictures) {
    const names = new MemberNames();
    for await (const batch of pictures())
      for (const picture of batch)
        yield { name: `${names.of(picture.path)}.json`, bytes: Buffer.from(JSON.stringify(documentOf(picture))) };
  },
};
