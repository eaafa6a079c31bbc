import type { WholeMember } from '../../../platform/archives/zip-bytes';
import { PLAIN, type AnnotationFormat, type Pictures } from '../annotation-format';
import { LabelNumbers, MemberNames, safePath } from '../member-names';
import { folderOf, inGroups, sequencesOf, trackNumbers, type Sequence } from '../sequences';
import { asOneLine } from '../yolo/class-files';

interface Written {
  readonly sequence: Sequence;
  readonly numberOf: (track: string) => number;
  readonly labels: LabelNumbers;
  readonly lines: string[];
}

const begun = (sequence: Sequence): Written => ({
  sequence,
  numberOf: trackNumbers(sequence),
  labels: new LabelNumbers(),
  lines: [],
});

/** A folder for each sequence. The number of a class is that of its line in `labels.txt`, from 1. */
export const motFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: null, box: 'box', polygon: 'box', mask: 'box', keypoints: 'box' },
    confidence: true,
    tracks: 'only',
  },
  walks: 2,
  async *write(pictures): AsyncGenerator<WholeMember> {
    const names = new MemberNames();
    for (const group of inGroups(await sequencesOf(pictures)))
      for (const { sequence, labels, lines } of await written(group, pictures)) {
        const folder = names.unique(safePath(sequence.folder) || '_');
        yield { name: `${folder}/gt/gt.txt`, bytes: Buffer.from(lines.join('')) };
        const listed = labels.names.map((label) => `${asOneLine(label)}\n`).join('');
        yield { name: `${folder}/gt/labels.txt`, bytes: Buffer.from(listed) };
      }
  },
};

/** Frame, track, box, confidence, class and how much is visible. A confidence has a decimal point, since 0 and 1 tell what counts. */
async function written(group: readonly Sequence[], pictures: Pictures): Promise<Written[]> {
  const byFolder = new Map(group.map((sequence) => [sequence.folder, begun(sequence)]));
  for await (const batch of pictures())
    for (const { path, annotations } of batch) {
      const own = byFolder.get(folderOf(path));
      if (own === undefined) continue;
      const frame = own.sequence.frames.get(path)! + 1;
      for (const { box, label, trackId, confidence } of annotations) {
        const score = Number.isInteger(confidence) ? `${confidence}.0` : (confidence ?? 1);
        const values = [frame, own.numberOf(trackId!), ...box!, score, own.labels.numberOf(label) + 1, 1];
        own.lines.push(`${values.join(',')}\n`);
      }
    }
  return [...byFolder.values()];
}
