import { sharedInt32 } from '../../../common/engine/arithmetic/shared-arrays';
import { NONE } from '../../../common/engine/evaluation/outcomes';
import type { SliceConditions } from '../../../common/engine/evaluation/slices/slice-conditions';
import { SIZES, TRUTH, type SliceUnits } from '../../../common/engine/evaluation/slices/slice-units';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { SliceCondition } from '../domain/slice';
import type { PictureCondition } from './condition-reader';

/** Those with the most annotations. */
const MOST_LABELS = 100;

export interface NumberedConditions {
  readonly by: SliceConditions;
  /** By number. */
  readonly conditions: readonly SliceCondition[];
}

/** Numbers the conditions on pictures and on their objects. */
export async function numberedConditions(
  units: SliceUnits,
  labels: readonly string[],
  ofPictures: readonly PictureCondition[],
): Promise<NumberedConditions> {
  const numbers = new Map<string, number>();
  const numberOf = (subject: string): number => {
    if (!numbers.has(subject)) numbers.set(subject, numbers.size);
    return numbers.get(subject)!;
  };
  const frequent = await frequentLabels(units, labels.length);
  const subjects = [
    ...ofPictures.map(({ subject }) => subject),
    ...frequent.map(() => 'label'),
    ...SIZES.map(() => 'size'),
  ];
  const ofLabels = sharedInt32(labels.length).fill(NONE);
  frequent.forEach((label, nth) => (ofLabels[label] = ofPictures.length + nth));
  const ofSizes = sharedInt32(SIZES.length);
  SIZES.forEach((_, size) => (ofSizes[size] = ofPictures.length + frequent.length + size));
  const { firsts, held } = await heldConditions(units.firsts.length - 1, ofPictures);
  return {
    by: { subjects: Int32Array.from(subjects, numberOf), firsts, held, ofLabels, ofSizes },
    conditions: [
      ...ofPictures.map(({ condition }) => condition),
      ...frequent.map((label) => ofObjects('label', labels[label]!)),
      ...SIZES.map((size) => ofObjects('size', size)),
    ],
  };
}

const ofObjects = (by: 'label' | 'size', value: string): SliceCondition => ({ by, value, name: value, vql: null });

async function frequentLabels({ labels, columns }: SliceUnits, count: number): Promise<number[]> {
  const truth = new Float64Array(count);
  await inSlices(labels.length, (start, end) => {
    for (let unit = start; unit < end; unit++) truth[labels[unit]!]! += columns[TRUTH]![unit]!;
  });
  return Array.from(truth.keys())
    .sort((a, b) => truth[b]! - truth[a]!)
    .slice(0, MOST_LABELS);
}

async function heldConditions(
  pictures: number,
  conditions: readonly PictureCondition[],
): Promise<Pick<SliceConditions, 'firsts' | 'held'>> {
  const firsts = sharedInt32(pictures + 1);
  for (const { pictures: having } of conditions)
    await inSlices(having.length, (start, end) => {
      for (let at = start; at < end; at++) firsts[having[at]! + 1]!++;
    });
  for (let picture = 0; picture < pictures; picture++) firsts[picture + 1]! += firsts[picture]!;
  const ends = firsts.slice(0, pictures);
  const held = sharedInt32(firsts[pictures]!);
  for (const [condition, { pictures: having }] of conditions.entries())
    await inSlices(having.length, (start, end) => {
      for (let at = start; at < end; at++) held[ends[having[at]!]!++] = condition;
    });
  return { firsts, held };
}
