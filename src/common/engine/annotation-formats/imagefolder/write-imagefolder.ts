import { jsonLine } from '../../../platform/text/lines';
import { EVERYTHING, FAST, type AnnotationFormat, type Pictures } from '../annotation-format';
import { enclosingBox } from '../convert-shapes';
import type { FilePicture } from '../file-picture';
import { labelsOf, shapesOf } from '../list-texts';
import { presentAnnotation } from '../present-annotation';

function presentPicture(picture: FilePicture) {
  const shapes = shapesOf(picture);
  return {
    file_name: picture.path,
    width: picture.width,
    height: picture.height,
    labels: labelsOf(picture).map(({ label }) => label),
    objects: {
      bbox: shapes.map((each) => each.box ?? enclosingBox(each, picture) ?? [0, 0, 0, 0]),
      categories: shapes.map(({ label }) => label),
    },
    annotations: JSON.stringify(picture.annotations.map(presentAnnotation)),
  };
}

/** `labels` and `objects` are as in examples of Hugging Face. `annotations` is all of it as JSON, because a column of a table has one type. */
export const imagefolderFormat: AnnotationFormat = {
  holds: EVERYTHING,
  walks: 1,
  write: (pictures) => [{ name: 'metadata.jsonl', stream: lines(pictures), level: FAST }],
};

async function* lines(pictures: Pictures): AsyncGenerator<Buffer> {
  for await (const batch of pictures())
    yield Buffer.from(batch.map((picture) => jsonLine(presentPicture(picture))).join(''));
}
