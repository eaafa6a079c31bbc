import { PLAIN, type AnnotationFormat } from '../annotation-format';
import { exact } from '../convert-shapes';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { labelsOf, pairsOf, ringOf, shapesOf } from '../list-texts';
import { partAround } from '../mask-rows';
import { MemberNames } from '../member-names';
import { pngOf } from './write-png';

const VERSION = '5.5.0';

async function presentShape(annotation: FileAnnotation) {
  const { label, box, mask } = annotation;
  const rest = { group_id: null, description: '', flags: {}, mask: null };
  if (mask !== undefined) {
    const { left, top, width, height, spans } = partAround(mask);
    const points = [
      [left, top],
      [left + width - 1, top + height - 1],
    ];
    const png = await pngOf(spans, width, height);
    return { label, points, shape_type: 'mask', ...rest, mask: png.toString('base64') };
  }
  if (box === undefined) return { label, points: pairsOf(ringOf(annotation)), shape_type: 'polygon', ...rest };
  const [x, y, width, height] = box;
  const points = [
    [x, y],
    [exact(x + width), exact(y + height)],
  ];
  return { label, points, shape_type: 'rectangle', ...rest };
}

async function documentOf(picture: FilePicture) {
  const shapes: object[] = [];
  for (const annotation of shapesOf(picture)) shapes.push(await presentShape(annotation));
  return {
    version: VERSION,
    flags: Object.fromEntries(labelsOf(picture).map(({ label }) => [label, true])),
    shapes,
    imagePath: picture.path.slice(picture.path.lastIndexOf('/') + 1),
    imageData: null,
    imageHeight: picture.height,
    imageWidth: picture.width,
  };
}

/** A file beside each picture; labels of whole pictures are its flags. */
export const labelmeFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'mask', keypoints: 'box' },
    masks: 'in-rows',
  },
  walks: 1,
  async *write(pictures) {
    const names = new MemberNames();
    for await (const batch of pictures())
      for (const picture of batch)
        yield { name: `${names.of(picture.path)}.json`, bytes: Buffer.from(JSON.stringify(await documentOf(picture))) };
  },
};
