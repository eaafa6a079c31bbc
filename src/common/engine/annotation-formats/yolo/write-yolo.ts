import type { WholeMember } from '../../../platform/archives/zip-bytes';
import type { ShapeKind } from '../../annotations/annotation';
import { PLAIN, type AnnotationFormat, type Holds, type Pictures } from '../annotation-format';
import { enclosingBox } from '../convert-shapes';
import type { FileAnnotation, FilePicture } from '../file-picture';
import { pointsOf, ringOf } from '../list-texts';
import { LabelNumbers, MemberNames } from '../member-names';
import { skeletonFor } from '../skeletons';
import { classFiles, pointNames } from './class-files';

const share = (value: number): string => value.toFixed(12);

type Size = Required<Pick<FilePicture, 'width' | 'height'>>;

/** Class, then centre, width and height of the box as fractions of the picture. */
function boxIn(annotation: FileAnnotation, { width, height }: Size): string {
  const [x, y, w, h] = annotation.box ?? enclosingBox(annotation) ?? [0, 0, 0, 0];
  return [(x + w / 2) / width, (y + h / 2) / height, w / width, h / height].map(share).join(' ');
}

const ringIn = (annotation: FileAnnotation, { width, height }: Size): string =>
  ringOf(annotation)
    .map((value, at) => share(value / (at % 2 === 0 ? width : height)))
    .join(' ');

/** Every line of a dataset has the same number of points. */
function pointsIn({ keypoints = [] }: FileAnnotation, points: number, { width, height }: Size): string {
  const given = pointsOf(keypoints).map(
    ([x, y, visibility]) => `${share(x / width)} ${share(y / height)} ${visibility}`,
  );
  const missing = Array.from({ length: points - given.length }, () => `${share(0)} ${share(0)} 0`);
  return [...given, ...missing].join(' ');
}

type LineOf = (annotation: FileAnnotation, size: Size) => string;

async function* members(
  pictures: Pictures,
  lineOf: LineOf,
  further?: (classes: readonly string[]) => string,
): AsyncGenerator<WholeMember> {
  const classes = new LabelNumbers();
  const names = new MemberNames();
  for await (const batch of pictures())
    for (const { path, width = 1, height = 1, annotations } of batch) {
      const lines = annotations.map((each) => `${classes.numberOf(each.label)} ${lineOf(each, { width, height })}\n`);
      yield { name: `labels/${names.of(path)}.txt`, bytes: Buffer.from(lines.join('')) };
    }
  yield* classFiles(classes.names, further?.(classes.names));
}

/** Its trainer passes over a picture with a shape that reaches beyond it. */
const holding = (shapes: Holds['shapes']): Holds => ({ ...PLAIN, shapes, beyond: false });

/** A label file for each picture, empty without annotations, and the classes. */
const DETECT: AnnotationFormat = {
  holds: holding({ label: null, box: 'box', polygon: 'box', mask: 'box', keypoints: 'box' }),
  walks: 1,
  write: (pictures) => members(pictures, boxIn),
};

const SEGMENT: AnnotationFormat = {
  holds: holding({ label: null, box: 'polygon', polygon: 'polygon', mask: 'polygon', keypoints: null }),
  walks: 1,
  write: (pictures) => members(pictures, ringIn),
};

const POSE: AnnotationFormat = {
  holds: {
    ...holding({ label: null, box: 'box', polygon: 'box', mask: 'box', keypoints: 'keypoints' }),
    boxBeside: true,
  },
  walks: 2,
  async *write(pictures, { skeletons }) {
    const pointsOf = new Map<string, number>();
    for await (const batch of pictures())
      for (const { label, keypoints = [] } of batch.flatMap(({ annotations }) => annotations))
        if (keypoints.length > 0) pointsOf.set(label, Math.max(keypoints.length / 3, pointsOf.get(label) ?? 0));
    const named = new Map(Array.from(pointsOf, ([label, own]) => [label, skeletonFor(skeletons, label, own).points]));
    const points = Array.from(named.values(), ({ length }) => length).reduce(
      (most, length) => Math.max(most, length),
      0,
    );
    const lineOf: LineOf = (each, size) => `${boxIn(each, size)} ${pointsIn(each, points, size)}`;
    yield* members(pictures, lineOf, (classes) => {
      const names = classes.flatMap((label, at) => (named.has(label) ? [[at, named.get(label)!] as const] : []));
      return `kpt_shape: [${points}, 3]\n${pointNames(names)}`;
    });
  },
};

/** The task of Ultralytics that says most of what the source has. */
export function yoloFormat(counts: Readonly<Record<ShapeKind, number>>): AnnotationFormat {
  if (counts.keypoints > 0) return POSE;
  return counts.polygon + counts.mask > 0 ? SEGMENT : DETECT;
}
