import type { ArchiveMember } from '../../../platform/archives/zip-bytes';
import { FAST, PLAIN, type AnnotationFormat, type Pictures, type WrittenSource } from '../annotation-format';
import { exact } from '../convert-shapes';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { MemberNames } from '../member-names';
import { xmlText } from '../xml-text';

function objectOf({ label, box, ignored }: FileAnnotation): string {
  const [x, y, width, height] = box!;
  const [right, bottom] = [exact(x + width), exact(y + height)];
  return `<object><name>${xmlText(label)}</name><pose>Unspecified</pose><truncated>0</truncated><difficult>${ignored ? 1 : 0}</difficult><bndbox><xmin>${x}</xmin><ymin>${y}</ymin><xmax>${right}</xmax><ymax>${bottom}</ymax></bndbox></object>\n`;
}

function documentOf({ path, width = 0, height = 0, annotations }: FilePicture, { dataset }: WrittenSource): string {
  const head = `<folder></folder><filename>${xmlText(path)}</filename><source><database>${xmlText(dataset)}</database></source>`;
  const size = `<size><width>${width}</width><height>${height}</height><depth>3</depth></size><segmented>0</segmented>`;
  return `<annotation>\n${head}\n${size}\n${annotations.map(objectOf).join('')}</annotation>\n`;
}

/** A document for each picture, and their names. */
export const vocFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: null, box: 'box', polygon: 'box', mask: 'box', keypoints: 'box' },
    ignored: true,
  },
  walks: 2,
  async *write(pictures, source): AsyncGenerator<ArchiveMember> {
    const names = new MemberNames();
    for await (const batch of pictures())
      for (const picture of batch)
        yield { name: `Annotations/${names.of(picture.path)}.xml`, bytes: Buffer.from(documentOf(picture, source)) };
    yield { name: 'ImageSets/Main/default.txt', stream: listOf(pictures), level: FAST };
  },
};

async function* listOf(pictures: Pictures): AsyncGenerator<Buffer> {
  const names = new MemberNames();
  for await (const batch of pictures()) yield Buffer.from(batch.map(({ path }) => `${names.of(path)}\n`).join(''));
}
