import type { Annotation } from '../../../common/engine/annotations/annotation';
import {
  countsAt,
  MISTAKE_OF,
  OUTCOME_OF,
  type Cuts,
  type Mistake,
  type Outcome,
} from '../../../common/engine/evaluation/counted-outcomes';
import { annotationKey, codeOf, NONE, type Outcomes } from '../../../common/engine/evaluation/outcomes';

type Said = Pick<Annotation, 'id' | 'version'>;

/** What became of one annotation or prediction. */
export interface AnnotationOutcome {
  readonly id: string;
  readonly outcome: Outcome | 'ignored';
  /** Null of what is no mistake. */
  readonly mistake: Mistake | null;
  /** Null without a partner. */
  readonly iou: number | null;
  /** Of the other source; null if there is none, or it has changed since. */
  readonly partner: string | null;
}

export interface PictureOutcomes {
  readonly truth: readonly AnnotationOutcome[];
  /** Without those below the confidence. */
  readonly predictions: readonly AnnotationOutcome[];
}

/** By number of the file: the annotations that are as they were. */
function byNumber(said: readonly Said[], keys: Uint32Array, first: number, end: number): Map<number, Said> {
  const known = new Map(said.map((annotation) => [annotationKey(annotation), annotation]));
  const found = new Map<number, Said>();
  for (let at = first; at < end; at++) {
    const annotation = known.get(keys[at]!);
    if (annotation !== undefined) found.set(at, annotation);
  }
  return found;
}

export function outcomesInPicture(
  outcomes: Outcomes,
  cuts: Cuts,
  picture: number,
  said: { readonly truth: readonly Said[]; readonly predictions: readonly Said[] },
): PictureOutcomes {
  if (picture === NONE) return { truth: [], predictions: [] };
  const { columns } = outcomes;
  const { truthFirsts, truthKeys, predictionFirsts, predictionKeys } = columns;
  const truth = byNumber(said.truth, truthKeys, truthFirsts[picture]!, truthFirsts[picture + 1]!);
  const predictions = byNumber(
    said.predictions,
    predictionKeys,
    predictionFirsts[picture]!,
    predictionFirsts[picture + 1]!,
  );
  const counts = countsAt(outcomes, cuts);
  const coverOf = (prediction: number): number => columns.ious[prediction]!;
  return {
    truth: Array.from(truth, ([at, { id }]): AnnotationOutcome => {
      if (columns.truthCounts[at] === 0) return { id, outcome: 'ignored', mistake: null, iou: null, partner: null };
      const [partner, claim] = [columns.truthPartners[at]!, columns.truthClaims[at]!];
      const idOf = (prediction: number): string | null => predictions.get(prediction)?.id ?? null;
      if (counts(partner)) return { id, outcome: 'tp', mistake: null, iou: coverOf(partner), partner: idOf(partner) };
      if (!counts(claim)) return { id, outcome: 'fn', mistake: 'missed', iou: null, partner: null };
      return { id, outcome: 'fn', mistake: 'wrong_class', iou: coverOf(claim), partner: idOf(claim) };
    }),
    predictions: [...predictions]
      .filter(([at]) => counts(at))
      .map(([at, { id }]): AnnotationOutcome => {
        const [event, about] = [columns.outcomes[at]!, columns.partners[at]!];
        return {
          id,
          outcome: event === codeOf('ignored') ? 'ignored' : OUTCOME_OF[event]!,
          mistake: MISTAKE_OF[event] ?? null,
          iou: about === NONE ? null : coverOf(at),
          partner: truth.get(about)?.id ?? null,
        };
      }),
  };
}
