import { CROWD } from '../../../common/engine/annotations/segment';
import { inSlices, type Pace } from '../../../common/platform/concurrency/in-slices';
import type { LabelledAnnotations } from './domain/label-order';
import type { ShapeCondition } from './domain/shape-condition';
import { LABEL_KIND, type SourcePart } from './source-part';

/** Which annotations pass, however many a picture has. */
export type Condition = Omit<ShapeCondition, 'count'>;

type See = (annotation: number, picture: number) => void;

/** Tests the annotations of a part by their numbers. */
function testOf(
  { columns }: SourcePart,
  { confidence, area, crowd, marked }: Condition,
): (annotation: number) => boolean {
  const { confidences, areas, flags, kinds } = columns;
  return (at) => {
    if (marked === true && kinds[at] === LABEL_KIND) return false;
    if (confidence !== undefined && !(confidences[at]! >= confidence[0] && confidences[at]! <= confidence[1]))
      return false;
    if (area !== undefined && !(areas[at]! >= area[0] && areas[at]! <= area[1])) return false;
    return crowd === undefined || ((flags[at]! & CROWD) !== 0) === crowd;
  };
}

/** Tests annotations of one label by their places. A rounded confidence decides, unless it is that of a bound. */
function testOfLabelled(
  part: SourcePart,
  { annotations, confidences }: LabelledAnnotations,
  condition: Condition,
): (place: number) => boolean {
  const { confidence, area, crowd, marked } = condition;
  const passes = testOf(part, condition);
  const needsMore = area !== undefined || crowd !== undefined || marked === true;
  if (confidence === undefined) return needsMore ? (place) => passes(annotations[place]!) : () => true;
  const [least, most] = [Math.fround(confidence[0]), Math.fround(confidence[1])];
  return (place) => {
    const rounded = confidences[place]!;
    if (!(rounded >= least && rounded <= most)) return false;
    return (!needsMore && rounded > least && rounded < most) || passes(annotations[place]!);
  };
}

interface VisitOptions {
  /** With any label if absent. */
  readonly labels: readonly string[] | undefined;
  /** Whether annotations are visited in their order in the part, not in that of their labels. */
  readonly isInOrder: boolean;
  readonly pace: Pace;
}

/** Visits the annotations of a part that pass. */
export async function visitPart(
  part: SourcePart,
  condition: Condition,
  { labels, isInOrder, pace }: VisitOptions,
  see: See,
): Promise<void> {
  if (labels === undefined) return visitAll(part, testOf(part, condition), pace, see);
  const numbers = [...new Set(labels)].map((label) => part.labels.indexOf(label)).filter((number) => number >= 0);
  if (!isInOrder || numbers.length === 1) {
    for (const number of numbers) await visitLabel(part, number, condition, pace, see);
  } else if (numbers.length > 1) {
    const wanted = new Set(numbers);
    const passes = testOf(part, condition);
    await visitAll(part, (at) => wanted.has(part.columns.labels[at]!) && passes(at), pace, see);
  }
}

async function visitAll(
  { columns: { firsts, labels } }: SourcePart,
  passes: (annotation: number) => boolean,
  pace: Pace,
  see: See,
): Promise<void> {
  await pace.after(labels.length);
  let picture = 0;
  await inSlices(labels.length, (start, end) => {
    for (let at = start; at < end; at++) {
      while (firsts[picture + 1]! <= at) picture++;
      if (passes(at)) see(at, picture);
    }
  });
}

async function visitLabel(part: SourcePart, label: number, condition: Condition, pace: Pace, see: See): Promise<void> {
  const labelled = await part.byLabel.with(label);
  const { annotations, pictures } = labelled;
  await pace.after(annotations.length);
  const passes = testOfLabelled(part, labelled, condition);
  await inSlices(annotations.length, (start, end) => {
    for (let place = start; place < end; place++) if (passes(place)) see(annotations[place]!, pictures[place]!);
  });
}
