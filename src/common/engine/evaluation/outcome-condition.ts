import { MISTAKE_OF, OUTCOME_OF, type Mistake, type Outcome, type OutcomeEvent } from './counted-outcomes';
import { NONE, type Outcomes } from './outcomes';

/** Which outcomes pass. */
export interface OutcomeCondition {
  readonly outcomes: readonly Outcome[];
  /** Of the annotation of the truth. */
  readonly labels?: readonly string[];
  /** Of the prediction. */
  readonly predicted?: readonly string[];
  /** Of mistakes. */
  readonly mistakes?: readonly Mistake[];
  /** How well the prediction covers the annotation, both bounds included. */
  readonly iou?: readonly [least: number, most: number];
  /** Of the annotation, or of a prediction that is wrong, in square pixels, both bounds included. */
  readonly area?: readonly [least: number, most: number];
}

export interface OutcomeTest {
  /** By event: whether one may pass. */
  readonly events: readonly boolean[];
  readonly passes: (event: OutcomeEvent, truth: number, prediction: number) => boolean;
}

export function testOfOutcomes(
  { columns, labels }: Outcomes,
  { outcomes, labels: ofTruth, predicted, mistakes, iou, area }: OutcomeCondition,
): OutcomeTest {
  const events = OUTCOME_OF.map((outcome, event) => {
    const mistake = MISTAKE_OF[event];
    return outcomes.includes(outcome) && (mistake === undefined || mistakes?.includes(mistake) !== false);
  });
  const [truthPasses, predictionPasses] = [amongLabels(labels, ofTruth), amongLabels(labels, predicted)];
  const { truthLabels, predictionLabels, truthAreas, predictionAreas, ious } = columns;
  const areaPasses = (event: OutcomeEvent, truth: number, prediction: number): boolean => {
    if (area === undefined) return true;
    const own = OUTCOME_OF[event] === 'fp' ? predictionAreas[prediction]! : truthAreas[truth]!;
    return own >= area[0] && own <= area[1];
  };
  // IoUs are stored as 32-bit numbers.
  const [least, most] = [Math.fround(iou?.[0] ?? 0), Math.fround(iou?.[1] ?? 1)];
  const passes: OutcomeTest['passes'] = (event, truth, prediction) => {
    if (!events[event]! || !areaPasses(event, truth, prediction)) return false;
    if (truthPasses !== undefined && (truth === NONE || truthPasses[truthLabels[truth]!] === 0)) return false;
    if (
      predictionPasses !== undefined &&
      (prediction === NONE || predictionPasses[predictionLabels[prediction]!] === 0)
    )
      return false;
    if (iou === undefined) return true;
    return prediction !== NONE && ious[prediction]! >= least && ious[prediction]! <= most;
  };
  return { events, passes };
}

/** By label; undefined if all pass. */
function amongLabels(labels: readonly string[], given: readonly string[] | undefined): Uint8Array | undefined {
  if (given === undefined) return undefined;
  const passing = new Set(given);
  return Uint8Array.from(labels, (label) => (passing.has(label) ? 1 : 0));
}
