import { testOfAttributes } from '../../../common/engine/annotations/attribute-tests';
import { CROWD } from '../../../common/engine/annotations/segment';
import { inSlices, type Pace } from '../../../common/platform/concurrency/in-slices';
import type { LabelledAnnotations } from './domain/label-order';
import type { ShapeCondition } from './domain/shape-condition';
import { LABEL_KIND, type SourcePart } from './source-part';

/** Which annotations pass, however many a picture has. */
export type Condition = Omit<ShapeCondition, 'count'>;

/** Attributes are tested in a few milliseconds. */
const TESTED_AT_ONCE = 2 ** 16;

type See = (annotation: number, picture: number) => void;

/** Tests an annotation of a part by its number. */
type Test = (annotation: number) => boolean;

async function testOf(
  { columns }: SourcePart,
  { confidence, area, crowd, marked, attributes }: Condition,
): Promise<Test> {
  const hasAttributes = attributes && (await testOfAttributes(columns, attributes));
  const { confidences, areas, flags, kinds } = columns;
  return (at) => {
    if (marked === true && kinds[at] === LABEL_KIND) return false;
    if (confidence !== undefined && !(confidences[at]! >= confidence[0] && confidences[at]! <= confidence[1]))
      return false;
    if (area !== undefined && !(areas[at]! >= area[0] && areas[at]! <= area[1])) return false;
    if (crowd !== undefined && ((flags[at]! & CROWD) !== 0) !== crowd) return false;
    return hasAttributes === undefined || hasAttributes(at);
  };
}

/** Tests annotations of one label by their places. A rounded confidence decides, unless it is that of a bound. */
function testOfLabelled(
  { annotations, confidences }: LabelledAnnotations,
  { confidence, area, crowd, marked, attributes }: Condition,
  passes: Test,
): (place: number) => boolean {
  const needsMore = [area, crowd, marked, attributes].some((condition) => condition !== undefined);
  if (confidence === undefined) return needsMore ? (place) => passes(annotations[place]!) : () => true;
  const [least, most] = [Math.fround(confidence[0]), Math.fround(confidence[1])];
  return (place) => {
    const rounded = confidences[place]!;
    if (!(rounded >= least && rounded <= most)) return false;
    return (!needsMore && rounded > least && rounded < most) || passes(annotations[place]!);
  };
}

/** Visits the annotations of a part that pass, with any of the labels, or with any label. */
export async function visitPart(
  part: SourcePart,
  labels: readonly string[] | undefined,
  condition: Condition,
  pace: Pace,
  see: See,
): Promise<void> {
  const numbers = labels && [...new Set(labels)].map((label) => part.labels.indexOf(label)).filter((at) => at >= 0);
  if (numbers?.length === 0) return;
  const passes = await testOf(part, condition);
  if (numbers === undefined) return visitAll(part, passes, pace, see);
  for (const number of numbers) {
    const labelled = await part.byLabel.with(number);
    await visitLabel(labelled, testOfLabelled(labelled, condition, passes), pace, see);
  }
}

async function visitAll(
  { columns: { firsts, labels } }: SourcePart,
  passes: Test,
  pace: Pace,
  see: See,
): Promise<void> {
  await pace.after(labels.length);
  let picture = 0;
  await inSlices(
    labels.length,
    (start, end) => {
      for (let at = start; at < end; at++) {
        while (firsts[picture + 1]! <= at) picture++;
        if (passes(at)) see(at, picture);
      }
    },
    TESTED_AT_ONCE,
  );
}

async function visitLabel(
  { annotations, pictures }: LabelledAnnotations,
  passes: (place: number) => boolean,
  pace: Pace,
  see: See,
): Promise<void> {
  await pace.after(annotations.length);
  await inSlices(annotations.length, (start, end) => {
    for (let place = start; place < end; place++) if (passes(place)) see(annotations[place]!, pictures[place]!);
  });
}
