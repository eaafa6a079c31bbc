import type { ShownAnnotation } from '../annotations/shapes';
import type { DrawnOutcome } from '../annotations/annotation-view';
import type { PictureAnnotations } from '../annotations/use-annotations';
import { texts } from '../../texts';
import type { EvaluationTask, Kind, PictureOutcome } from './evaluation';

const { picture: words } = texts.evaluate;

/** What became of an annotation, as the service says it. */
export interface FoundOutcome {
  readonly annotation_id: string;
  readonly outcome: PictureOutcome;
  readonly kind: Kind | null;
  readonly iou: number | null;
}

/** Of a picture, in an evaluation. */
export interface FoundOutcomes {
  readonly truth: readonly FoundOutcome[];
  readonly predictions: readonly FoundOutcome[];
}

/** Far apart also without red and green. */
const COLOURS: Readonly<Record<PictureOutcome, string>> = {
  tp: 'var(--on-picture-2)',
  fp: 'var(--on-picture-7)',
  fn: 'var(--on-picture-1)',
  ignored: 'var(--on-picture-none)',
};

interface Compared {
  readonly truth: string;
  readonly predictions: string;
  readonly task: EvaluationTask;
}

type OutcomeOf = (annotation: Pick<ShownAnnotation, 'source' | 'id'>) => DrawnOutcome | undefined;

/** Undefined of annotations of other sources. Those that do not count, or were changed since, have a colour of their own. */
export function outcomeOf(found: FoundOutcomes, { truth, predictions, task }: Compared): OutcomeOf {
  const drawn = (each: readonly FoundOutcome[], isDashed: boolean) =>
    new Map(
      each.map((one) => [
        one.annotation_id,
        { colour: COLOURS[one.outcome], text: textOf(one, isDashed, task), isDashed },
      ]),
    );
  const [ofTruth, ofPredictions] = [drawn(found.truth, false), drawn(found.predictions, true)];
  return ({ source, id }) => {
    if (source === predictions) return ofPredictions.get(id) ?? { ...UNKNOWN, isDashed: true };
    return source === truth ? (ofTruth.get(id) ?? { ...UNKNOWN, isDashed: false }) : undefined;
  };
}

const UNKNOWN = { colour: COLOURS.ignored, text: undefined };

/** What the truth says of a true positive stands beside the prediction. Labels of pictures have no lines that tell them apart. */
function textOf(found: FoundOutcome, isPrediction: boolean, task: EvaluationTask): string | undefined {
  if (task === 'classification') return words.saidOfLabel(isPrediction, found);
  return found.outcome === 'tp' && !isPrediction ? undefined : words.said(found, words.measures[task]);
}

/** How annotations with outcomes are drawn. Their sources have no colours. */
export const drawingOf = (of: OutcomeOf): Pick<PictureAnnotations, 'outcomeOf' | 'colourOf' | 'colourOfSource'> => ({
  outcomeOf: of,
  colourOf: (annotation) => of(annotation)?.colour ?? COLOURS.ignored,
  colourOfSource: () => COLOURS.ignored,
});

type Lists = Pick<PictureAnnotations, 'all' | 'shown' | 'between' | 'sourcesHere'>;

/** What the two sources of the evaluation say, without others. */
export function comparedOnly({ all, shown, between, sourcesHere }: Lists, of: OutcomeOf): Lists {
  const isCompared = (annotation: Parameters<OutcomeOf>[0]): boolean => of(annotation) !== undefined;
  return {
    all: all.filter(isCompared),
    shown: shown.filter(isCompared),
    between: between.filter(isCompared),
    sourcesHere: sourcesHere.filter((source) => isCompared({ source, id: '' })),
  };
}

export const colourOfOutcome = (outcome: PictureOutcome): string => COLOURS[outcome];

const countOf = (all: readonly FoundOutcome[], outcome: PictureOutcome): number =>
  all.filter((each) => each.outcome === outcome).length;

export const outcomeCounts = ({ truth, predictions }: FoundOutcomes) => ({
  tp: countOf(predictions, 'tp'),
  fp: countOf(predictions, 'fp'),
  fn: countOf(truth, 'fn'),
});
