import { inSlices } from '../../platform/concurrency/in-slices';
import { countsAt, type Cuts } from './counted-outcomes';
import type { Outcomes } from './outcomes';

/** An evaluation at its confidences, and where pictures that another one has too are in it. */
export interface EvaluatedPictures {
  readonly outcomes: Outcomes;
  readonly cuts: Cuts;
  readonly pictures: Int32Array;
}

export interface FoundOnly {
  readonly annotations: number;
  readonly pictures: number;
}

const PICTURES_AT_ONCE = 2 ** 12;

/** Annotations of the truth that the first evaluation found and the second did not. The truth of both is the same; what changed in between does not count. */
export async function foundOnlyBy(first: EvaluatedPictures, second: EvaluatedPictures): Promise<FoundOnly> {
  const [counts, countsSecond] = [first, second].map(({ outcomes, cuts }) => countsAt(outcomes, cuts)) as [Test, Test];
  const [{ columns }, { columns: other }] = [first.outcomes, second.outcomes];
  let [annotations, pictures] = [0, 0];
  const visit = (at: number): void => {
    const [own, others] = [first.pictures[at]!, second.pictures[at]!];
    const found = new Set<number>();
    for (let truth = columns.truthFirsts[own]!; truth < columns.truthFirsts[own + 1]!; truth++)
      if (counts(columns.truthPartners[truth]!)) found.add(columns.truthKeys[truth]!);
    const before = annotations;
    for (let truth = other.truthFirsts[others]!; truth < other.truthFirsts[others + 1]!; truth++)
      if (
        other.truthCounts[truth] === 1 &&
        !countsSecond(other.truthPartners[truth]!) &&
        found.has(other.truthKeys[truth]!)
      )
        annotations += 1;
    if (annotations > before) pictures += 1;
  };
  await inSlices(
    first.pictures.length,
    (start, end) => {
      for (let at = start; at < end; at++) visit(at);
    },
    PICTURES_AT_ONCE,
  );
  return { annotations, pictures };
}

type Test = (prediction: number) => boolean;
