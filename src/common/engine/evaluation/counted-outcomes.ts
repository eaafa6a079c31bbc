import { inSlices } from '../../platform/concurrency/in-slices';
import { NONE, PREDICTION_OUTCOMES, codeOf, type Outcomes, type PredictionOutcome } from './outcomes';

export const OUTCOMES = ['tp', 'fp', 'fn'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Of mistakes: what became of a wrong prediction, or why an annotation was not found, which is `wrong_class` or `missed`. */
export const MISTAKES = ['wrong_class', 'poor_box', 'wrong_class_and_box', 'double', 'background', 'missed'] as const;
export type Mistake = (typeof MISTAKES)[number];

/** Predictions below their confidence do not count. */
export interface Cuts {
  readonly confidence: number;
  /** By label, instead of `confidence`. */
  readonly classConfidences?: Readonly<Record<string, number>>;
}

/** What is counted: a prediction by its code, or an annotation that was not found. */
export type OutcomeEvent = number;
const MISSED: OutcomeEvent = PREDICTION_OUTCOMES.length;
/** A prediction of another label lies over it. */
const CLAIMED: OutcomeEvent = MISSED + 1;
const IGNORED = codeOf('ignored');

const isMistake = (outcome: PredictionOutcome): outcome is Exclude<Mistake, 'missed'> =>
  outcome !== 'ignored' && outcome !== 'tp';

/** By event. */
export const OUTCOME_OF: readonly Outcome[] = [
  ...PREDICTION_OUTCOMES.map((outcome) => (outcome === 'tp' ? 'tp' : 'fp')),
  'fn',
  'fn',
];
/** By event; undefined of what is right. */
export const MISTAKE_OF: readonly (Mistake | undefined)[] = [
  ...PREDICTION_OUTCOMES.map((outcome) => (isMistake(outcome) ? outcome : undefined)),
  'missed',
  'wrong_class',
];

/** By label. */
export const cutsOf = ({ labels }: Outcomes, { confidence, classConfidences = {} }: Cuts): Float64Array =>
  Float64Array.from(labels, (label) =>
    Object.hasOwn(classConfidences, label) ? classConfidences[label]! : confidence,
  );

/** Whether a prediction counts; false for NONE. */
export function countsAt(outcomes: Outcomes, cuts: Cuts): (prediction: number) => boolean {
  const cutOf = cutsOf(outcomes, cuts);
  const { confidences, predictionLabels } = outcomes.columns;
  return (prediction) => prediction !== NONE && confidences[prediction]! >= cutOf[predictionLabels[prediction]!]!;
}

/**
 * A prediction that counts, with the annotation that it is about, or an annotation that was not found, with the prediction of another label over it.
 * One of them may be NONE.
 */
export type SeeOutcome = (event: OutcomeEvent, picture: number, truth: number, prediction: number) => void;

const ALL_EVENTS: readonly boolean[] = OUTCOME_OF.map(() => true);

/** Predictions come first, then annotations that were not found, each picture by picture. Only events that are `wanted` are seen. */
export async function visitCounted(
  outcomes: Outcomes,
  cuts: Cuts,
  see: SeeOutcome,
  wanted: readonly boolean[] = ALL_EVENTS,
): Promise<void> {
  const counts = countsAt(outcomes, cuts);
  const { predictionFirsts, outcomes: events, partners, confidences } = outcomes.columns;
  // Most predictions of a detector are below any confidence that people choose.
  const least = cutsOf(outcomes, cuts).reduce((one, other) => Math.min(one, other), Infinity);
  const isSeen = wanted.map((isWanted, event) => isWanted && event !== IGNORED);
  let picture = 0;
  await inSlices(isSeen.slice(0, MISSED).includes(true) ? events.length : 0, (start, end) => {
    for (let at = start; at < end; at++) {
      const event = events[at]!;
      if (!isSeen[event]! || confidences[at]! < least || !counts(at)) continue;
      while (predictionFirsts[picture + 1]! <= at) picture++;
      see(event, picture, partners[at]!, at);
    }
  });
  const { truthFirsts, truthCounts, truthPartners, truthClaims } = outcomes.columns;
  picture = 0;
  await inSlices(isSeen[MISSED]! || isSeen[CLAIMED]! ? truthCounts.length : 0, (start, end) => {
    for (let at = start; at < end; at++) {
      if (truthCounts[at] === 0 || counts(truthPartners[at]!)) continue;
      while (truthFirsts[picture + 1]! <= at) picture++;
      const claim = truthClaims[at]!;
      const [event, prediction] = counts(claim) ? [CLAIMED, claim] : [MISSED, NONE];
      if (isSeen[event]!) see(event, picture, at, prediction);
    }
  });
}
