import type { ArchiveMember } from '../../../platform/archives/zip-bytes';
import { FAST, PLAIN, type AnnotationFormat, type Pictures } from '../annotation-format';
import type { FilePicture } from '../file-picture';
import { MemberNames, safePath } from '../member-names';
import { inGroups, sequencesOf } from '../sequences';
import { xmlAttributes } from '../xml-text';
import { elementOf, type Skeletons } from './element-texts';
import { labelsIn, labelsText, skeletonsOf } from './label-texts';
import { trackTexts } from './track-texts';

function imageText({ path, width, height, annotations }: FilePicture, id: number, skeletons: Skeletons): string {
  const elements = annotations
    .filter(({ trackId }) => trackId === undefined)
    .map((annotation) => elementOf(annotation, skeletons, { label: annotation.label, source: 'manual' }));
  return `<image${xmlAttributes({ id, name: path, width, height })}>\n${elements.join('')}</image>\n`;
}

/** Images in one document; tracks in one for each video, or other folder of frames. */
export const cvatFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'mask', keypoints: 'keypoints' },
    masks: 'in-rows',
    rotation: true,
    attributes: true,
    tracks: 'numbers',
  },
  walks: 4,
  async *write(pictures, source): AsyncGenerator<ArchiveMember> {
    const labels = await labelsIn(pictures);
    const skeletons = skeletonsOf(labels, source.skeletons);
    const meta = labelsText(labels, skeletons, source.dataset);
    const images = document(meta, imageTexts(pictures, skeletons));
    yield { name: 'annotations.xml', stream: images, level: FAST };
    const names = new MemberNames();
    names.unique('annotations');
    for (const group of inGroups(await sequencesOf(pictures)))
      for (const { sequence, tracks } of await trackTexts(group, pictures, skeletons)) {
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

async function* imageTexts(pictures: Pictures, skeletons: Skeletons): AsyncGenerator<string> {
  let id = 0;
  for await (const batch of pictures()) yield batch.map((picture) => imageText(picture, id++, skeletons)).join('');
}
