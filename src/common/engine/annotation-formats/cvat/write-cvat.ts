import type { ArchiveMember } from '../../../platform/archives/zip-bytes';
import { FAST, PLAIN, type AnnotationFormat, type Pictures } from '../annotation-format';
import type { FilePicture } from '../file-picture';
import { MemberNames, safePath } from '../member-names';
import { inGroups, sequencesOf } from '../sequences';
import { xmlAttributes } from '../xml-text';
import { elementOf } from './element-texts';
import { labelsIn, labelsText } from './label-texts';
import { trackTexts } from './track-texts';

function imageText({ path, width, height, annotations }: FilePicture, id: number): string {
  const elements = annotations
    .filter(({ trackId }) => trackId === undefined)
    .map((annotation) => elementOf(annotation, { label: annotation.label, source: 'manual' }));
  return `<image${xmlAttributes({ id, name: path, width, height })}>\n${elements.join('')}</image>\n`;
}

/** Images in one document; tracks in one for each video, or other folder of frames. */
export const cvatFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'polygon', keypoints: 'keypoints' },
    rotation: true,
    attributes: true,
    tracks: 'numbers',
  },
  walks: 4,
  async *write(pictures, source): AsyncGenerator<ArchiveMember> {
    const meta = labelsText(await labelsIn(pictures), source.dataset);
    const images = document(meta, imageTexts(pictures));
    yield { name: 'annotations.xml', stream: images, level: FAST };
    const names = new MemberNames();
    names.unique('annotations');
    for (const group of inGroups(await sequencesOf(pictures)))
      for (const { sequence, tracks } of await trackTexts(group, pictures)) {
        const name = names.unique(safePath(sequence.folder) || 'frames');
        yield { name: `${name}.xml`, stream: document(meta, tracks), level: FAST };
      }
  },
};

async function* document(meta: string, parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(`<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n${meta}`);
  for await (const part of parts) yield Buffer.from(part);
  yield Buffer.from('</annotations>\n');
}

async function* imageTexts(pictures: Pictures): AsyncGenerator<string> {
  let id = 0;
  for await (const batch of pictures()) yield batch.map((picture) => imageText(picture, id++)).join('');
}
