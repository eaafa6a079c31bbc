import { CROWD } from '../../../common/engine/annotations/segment';
import type { ShapeCondition } from './domain/shape-condition';
import { LABEL_KIND, type SourcePart } from './source-part';

const NO_ANNOTATION = new Int32Array(0);

/** Which annotations pass, however many a picture has. */
export type Condition = Omit<ShapeCondition, 'count'>;

/** The picture of an annotation, which is this one or a later one. */
export function pictureOf(firsts: Int32Array, annotation: number, least: number): number {
  let [low, step] = [least, 1];
  while (low + step < firsts.length && firsts[low + step]! <= annotation) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, firsts.length - 1);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (firsts[middle]! <= annotation) low = middle;
    else high = middle;
  }
  return low;
}

/** The annotations of a part with any of the labels, ascending. */
export async function chosenIn({ labels: names, byLabel }: SourcePart, labels: readonly string[]): Promise<Int32Array> {
  const numbers = labels.flatMap((label) => {
    const number = names.indexOf(label);
    return number < 0 ? [] : [number];
  });
  return numbers.length === 0 ? NO_ANNOTATION : byLabel.with(numbers);
}

/** Tests the annotations of a part by their numbers. */
export function testOf(
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
