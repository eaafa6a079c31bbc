import { labelOfPrediction, placesOf, type Collected } from './collected';
import { byFallingConfidence } from './confidence-order';
import { cutsOf } from './counted-outcomes';
import { bestConfidence, type CutRates } from './curves';
import { costsOf, precisionsOf, type Precisions } from './error-costs';
import type { EvaluationResult, Figures, LabelFigures } from './evaluation-result';
import { codeOf, type OutcomeColumns } from './outcomes';
import { agreementAt } from './pair-agreement';
import type { EvaluationPlan } from './plan';
import type { Counts, ProtocolRules } from './protocol-rules';
import type { RankedOutcomes } from './ranked-outcomes';
import { ratesOf } from './rates';
import { eachSample, type PictureSamples } from './samples/picture-samples';
import type { SampledMeans } from './samples/sampled-means';

const [IGNORED, FOUND] = [codeOf('ignored'), codeOf('tp')];

/** Of a label, or of all labels. */
export interface UnitMeasures {
  readonly label: number | undefined;
  readonly truth: number;
  readonly predictions: number;
  /** With the best F1; null if nothing is found. */
  readonly best: CutRates | null;
  /** If the unit is one of those of which the figures of the whole are made. */
  readonly own?: { readonly figures: Figures; readonly precisions?: Precisions };
}

export const ALL = -1;

/** Measures a label, or ALL, and adds its figures in samples to the means. */
export function measureUnit(
  plan: EvaluationPlan,
  rules: ProtocolRules,
  collected: Collected,
  label: number,
  means: SampledMeans,
): UnitMeasures {
  const { columns, truthByLabel, predictionsByLabel } = collected;
  const truth = label === ALL ? Int32Array.from(columns.truthLabels.keys()) : placesOf(truthByLabel, label);
  const places =
    label === ALL ? allPredictions(columns, plan.options.classAgnostic) : placesOf(predictionsByLabel, label);
  const ranked = rankedIn(columns, truth, places);
  const measures = {
    label: label === ALL ? undefined : label,
    truth: ranked.truth,
    predictions: ranked.hits.length + ranked.mistakes.length,
    best: bestConfidence(ranked),
  };
  if (plan.options.classAgnostic !== (label === ALL)) return measures;
  const unit = { label: measures.label, truth, predictions: byFallingConfidence(places, columns.confidences) };
  const hasShapes = plan.task !== 'classification' && measures.truth > 0;
  if (collected.samples !== undefined) rules.sample(collected, unit, collected.samples, means);
  const precisions = hasShapes ? precisionsOf(collected, unit) : undefined;
  return { ...measures, own: { figures: rules.ofUnit(collected, unit), ...(precisions && { precisions }) } };
}

/** By picture and label, as COCO's tools have them: this is the order of equal confidences where labels do not matter. */
function allPredictions({ predictionFirsts, predictionLabels }: OutcomeColumns, isOrdered: boolean): Int32Array {
  const places = Int32Array.from(predictionLabels.keys());
  if (!isOrdered) return places;
  for (let picture = 0; picture + 1 < predictionFirsts.length; picture++)
    places
      .subarray(predictionFirsts[picture], predictionFirsts[picture + 1])
      .sort((a, b) => predictionLabels[a]! - predictionLabels[b]!);
  return places;
}

function rankedIn(columns: OutcomeColumns, truth: Int32Array, predictions: Int32Array): RankedOutcomes {
  const { truthCounts, outcomes, confidences } = columns;
  const [hits, mistakes] = [new Float64Array(predictions.length), new Float64Array(predictions.length)];
  let [hit, mistake] = [0, 0];
  for (const place of predictions)
    if (outcomes[place] === FOUND) hits[hit++] = confidences[place]!;
    else if (outcomes[place] !== IGNORED) mistakes[mistake++] = confidences[place]!;
  return {
    hits: hits.subarray(0, hit).sort(),
    mistakes: mistakes.subarray(0, mistake).sort(),
    truth: truth.reduce((sum, place) => sum + truthCounts[place]!, 0),
  };
}

/** The result, from the measures of all and of each label. */
export function resultOf(
  plan: EvaluationPlan,
  rules: ProtocolRules,
  collected: Collected,
  all: UnitMeasures,
  ofLabels: readonly UnitMeasures[],
  means: SampledMeans,
): Omit<EvaluationResult, 'outcomes'> {
  const confidence = plan.options.confidence ?? rules.confidenceOf?.(collected) ?? all.best?.confidence ?? 0;
  const { labels, columns } = collected;
  const { classConfidences } = plan.options;
  const cuts = cutsOf(collected, { confidence, ...(classConfidences !== undefined && { classConfidences }) });
  const isCounted = (place: number): boolean => columns.confidences[place]! >= cuts[columns.predictionLabels[place]!]!;
  const counts = countsAt(columns, labels.length, isCounted);
  const units = [all, ...ofLabels].flatMap(({ own }) => own ?? []);
  const perClass = ofLabels.map(({ label, truth, predictions, best, own }): LabelFigures => {
    const tally = { hits: counts.hits[label!]!, mistakes: counts.mistakes[label!]!, truth };
    const atCut = { ...ratesOf(tally), ...rules.ofTally?.(collected, tally) };
    const atBest = { best_confidence: best?.confidence ?? null, best_f1: best?.f1 ?? null };
    const figures = { ...own?.figures, ...atCut, ...atBest, ...own?.figures };
    return { label: labels[label!]!, truth, predictions, figures };
  });
  const total = (numbers: Int32Array): number => numbers.reduce((sum, number) => sum + number, 0);
  const overall = rules.overall(
    units.map(({ figures }) => figures),
    collected,
    isCounted,
  );
  if (collected.samples !== undefined) {
    if (plan.task !== 'classification') sampleRates(columns, isCounted, collected.samples, means);
    rules.sampleOverall?.(collected, isCounted, collected.samples, means);
  }
  const precisions = units.flatMap((unit) => unit.precisions ?? []);
  return {
    metrics: {
      ...overall,
      ...ratesOf({ hits: total(counts.hits), mistakes: total(counts.mistakes), truth: all.truth }),
      ...(isSaidByPeople(columns) && agreementAt(columns, isCounted, { countsNothing: true })),
      confidence,
      // Some protocols have their own precision.
      ...overall,
    },
    perClass: perClass.filter(isMeasured),
    confidence,
    samples: means.means(),
    ...(plan.task !== 'classification' && { errorCosts: costsOf(precisions) }),
  };
}

function sampleRates(columns: OutcomeColumns, isCounted: Counts, samples: PictureSamples, means: SampledMeans): void {
  const none = (): Int32Array => new Int32Array(samples.pictures);
  const [hits, mistakes, truth] = [none(), none(), none()] as const;
  for (const [place, outcome] of columns.outcomes.entries())
    if (outcome !== IGNORED && isCounted(place))
      (outcome === FOUND ? hits : mistakes)[samples.ofPredictions[place]!]! += 1;
  for (const [place, counts] of columns.truthCounts.entries()) truth[samples.ofTruth[place]!]! += counts;
  eachSample(samples, (times, sample) => {
    const tally = { hits: 0, mistakes: 0, truth: 0 };
    for (let picture = 0; picture < times.length; picture++) {
      tally.hits += times[picture]! * hits[picture]!;
      tally.mistakes += times[picture]! * mistakes[picture]!;
      tally.truth += times[picture]! * truth[picture]!;
    }
    const rates: Figures = { ...ratesOf(tally) };
    for (const [name, rate] of Object.entries(rates)) if (rate !== null) means.add(name, sample, rate);
  });
}

/** Annotations that are not compared have labels too, such as those of whole pictures beside boxes. Labels above others have figures only. */
const isMeasured = ({ truth, predictions, figures }: LabelFigures): boolean =>
  truth + predictions > 0 || (figures['AP'] ?? -1) >= 0;

/** Whether no prediction has a confidence of its own. */
const isSaidByPeople = ({ confidences }: OutcomeColumns): boolean =>
  confidences.every((confidence) => confidence === 1);

/** By label, of predictions that reach their confidence. */
function countsAt(
  columns: OutcomeColumns,
  labels: number,
  isCounted: (place: number) => boolean,
): Record<'hits' | 'mistakes', Int32Array> {
  const { outcomes } = columns;
  const counts = { hits: new Int32Array(labels), mistakes: new Int32Array(labels) };
  for (let place = 0; place < outcomes.length; place++) {
    if (outcomes[place] === IGNORED || !isCounted(place)) continue;
    counts[outcomes[place] === FOUND ? 'hits' : 'mistakes'][labelOfPrediction(columns, place)]! += 1;
  }
  return counts;
}
