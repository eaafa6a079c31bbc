import type { FileAnnotation } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { defined } from '../json-values';
import { fileIn, folderIn, linesIn } from '../member-texts';

const FRAME_DIGITS = 6;
/** Its column. */
const CONFIDENCE = 6;
/** Of the benchmark; other files have a `labels.txt`. */
const CLASSES = [
  'pedestrian',
  'person on vehicle',
  'car',
  'bicycle',
  'motorbike',
  'non motorized vehicle',
  'static person',
  'distractor',
  'occluder',
  'occluder on the ground',
  'occluder full',
  'reflection',
  'crowd',
];

/** Tracks and detections of MOT challenges: `gt.txt` and `det.txt`. Frames are in the folder `img1` of their sequence. */
export async function* readMot(members: Members): AsyncGenerator<FromFile> {
  const labels = new Map<string, string[]>();
  const rates = new Map<string, number>();
  for await (const member of members()) {
    const lines: string[] = [];
    if (['labels.txt', 'seqinfo.ini'].includes(fileIn(member.name)))
      for await (const { text } of linesIn(member)) lines.push(text);
    if (fileIn(member.name) === 'labels.txt') labels.set(folderIn(member.name), lines);
    const rate = Number(lines.find((line) => line.startsWith('frameRate='))?.slice('frameRate='.length));
    if (rate > 0) rates.set(folderIn(member.name), rate);
  }
  for await (const member of members()) {
    const { name: file } = member;
    if (!/^(?:gt|det)\.txt$/.test(fileIn(file))) continue;
    const sequence = folderIn(file).replace(/(?:gt|det)\/$/, '');
    const classes = labels.get(folderIn(file)) ?? CLASSES;
    for await (const { line, text } of linesIn(member)) {
      const cells = text.split(',');
      const values = cells.map(Number);
      const [frame = NaN] = values;
      if (values.length < 6 || !values.every(Number.isFinite) || !(frame >= 0))
        yield { fault: { file, line, message: 'it is not frame, track, left, top, width, height and so on' } };
      else
        yield {
          path: `${sequence}img1/${String(frame).padStart(FRAME_DIGITS, '0')}`,
          frame: defined({ of: sequence.slice(0, -1), number: frame - 1, rate: rates.get(sequence) }),
          annotations: [annotationOf(values, classes, fileIn(file) === 'gt.txt' && isFlag(cells[CONFIDENCE]))],
          from: { file, line },
        };
    }
  }
}

/** What is known of objects has 0 for those that are not counted, where detections have their confidence. */
const isFlag = (cell = ''): boolean => /^\s*[01]\s*$/.test(cell);

function annotationOf(values: readonly number[], classes: readonly string[], isFlagged: boolean): FileAnnotation {
  const [, track = -1, x = NaN, y = NaN, width = NaN, height = NaN, confidence, number = 1] = values;
  return defined({
    label: classes[Math.max(1, number) - 1] ?? '',
    box: [x, y, width, height] as const,
    confidence: isFlagged ? undefined : confidence,
    ignored: isFlagged && confidence === 0 ? (true as const) : undefined,
    trackId: track < 0 ? undefined : String(track),
  });
}
