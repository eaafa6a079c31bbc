import type { Collected, Unit } from '../collected';
import { calibrationError, reliabilityOf } from '../curves';
import type { Figures } from '../evaluation-result';
import { codeOf, NONE, type OutcomeColumns } from '../outcomes';
import { agreementAt, agreementOfPairs, type PairAgreement } from '../pair-agreement';
import { meanOf, ratesOf, share, type Tally } from '../rates';
import { hasLabel, type JudgedPictures } from './judged-pictures';
import { IS_SCORE, IS_TRUE } from './label-matcher';
import { averagePrecisionOf, brierOf, rocAucOf, type Scores } from './score-figures';
import type { LabelMode } from './settle-labels';

const [IGNORED, TP] = [codeOf('ignored'), codeOf('tp')];

type Counts = (prediction: number) => boolean;

/** How sure a label is, whatever confidence is chosen; nothing of a label that neither source gives. */
export function scoreFigures(collected: Collected, unit: Unit, { pictures }: JudgedPictures): Figures {
  const scores = scoresOf(collected, unit, pictures);
  if (scores.truth === 0 && scores.confidences.length === 0) return {};
  return {
    roc_auc: rocAucOf(scores),
    average_precision: averagePrecisionOf(scores),
    brier: brierOf(scores),
    ece: calibrationErrorOf(collected.columns, unit.predictions),
  };
}

function scoresOf({ columns, predictionBits }: Collected, unit: Unit, pictures: number): Scores {
  const places = unit.predictions.filter((place) => (predictionBits[place]! & IS_SCORE) !== 0);
  return {
    confidences: Float64Array.from(places, (place) => columns.confidences[place]!),
    isTrue: Uint8Array.from(places, (place) => ((predictionBits[place]! & IS_TRUE) !== 0 ? 1 : 0)),
    truth: unit.truth.reduce((sum, place) => sum + columns.truthCounts[place]!, 0),
    pictures,
  };
}

/** Of all labels. Means of labels leave out those without the figure. */
export function classificationFigures(
  collected: Collected,
  ofLabels: readonly Figures[],
  judged: JudgedPictures,
  { counts, k }: { readonly counts: Counts; readonly k: readonly number[] },
): Figures {
  const { mode, pictures } = judged;
  const { columns } = collected;
  const tallies = talliesOf(collected, counts);
  const rates = tallies.filter((tally) => tally.hits + tally.mistakes + tally.truth > 0).map(ratesOf);
  const meanRate = (values: readonly (number | null)[]): number | null => meanOf(values.map((value) => value ?? 0));
  const mean = (name: string): number | null => meanOf(ofLabels.map((figures) => figures[name] ?? null));
  const rightPictures = mode === 'single' ? hitsOf(tallies) : entirelyRight(collected, counts);
  return {
    accuracy: share(rightPictures, pictures),
    ...(mode === 'single' && {
      balanced_accuracy: meanOf(rates.map(({ recall }) => recall)),
      ...Object.fromEntries(k.map((most) => [`top_${most}`, share(rightAmong(collected, most), pictures)])),
    }),
    precision: meanRate(rates.map(({ precision }) => precision)),
    recall: meanRate(rates.map(({ recall }) => recall)),
    f1: meanRate(rates.map(({ f1 }) => f1)),
    roc_auc: mean('roc_auc'),
    average_precision: mean('average_precision'),
    brier: brierOfLabels(ofLabels, mode),
    ece: calibrationErrorOf(columns, Int32Array.from(columns.outcomes.keys())),
    ...agreementOfLabels(columns, tallies, judged, counts),
  };
}

function talliesOf({ columns, labels }: Collected, counts: Counts): Tally[] {
  const { outcomes, partners, truthLabels, predictionLabels, truthCounts } = columns;
  const tallies = labels.map(() => ({ hits: 0, mistakes: 0, truth: 0 }));
  for (const [truth, label] of truthLabels.entries()) tallies[label]!.truth += truthCounts[truth]!;
  for (const [prediction, outcome] of outcomes.entries()) {
    if (outcome === IGNORED || !counts(prediction)) continue;
    if (outcome === TP) tallies[truthLabels[partners[prediction]!]!]!.hits++;
    else tallies[predictionLabels[prediction]!]!.mistakes++;
  }
  return tallies;
}

const hitsOf = (tallies: readonly Tally[]): number => tallies.reduce((sum, { hits }) => sum + hits, 0);

/** Pictures with all of their labels and no others. */
function entirelyRight(collected: Collected, counts: Counts): number {
  const { truthFirsts, truthCounts, truthPartners, predictionFirsts, outcomes } = collected.columns;
  let right = 0;
  for (let picture = 0; picture < truthFirsts.length - 1; picture++) {
    let isRight = hasLabel(collected, picture);
    for (let truth = truthFirsts[picture]!; truth < truthFirsts[picture + 1]!; truth++) {
      const partner = truthPartners[truth]!;
      if (truthCounts[truth] === 1 && (partner === NONE || !counts(partner))) isRight = false;
    }
    for (let place = predictionFirsts[picture]!; place < predictionFirsts[picture + 1]!; place++)
      if (outcomes[place] !== IGNORED && outcomes[place] !== TP && counts(place)) isRight = false;
    if (isRight) right++;
  }
  return right;
}

/** Pictures whose label is among so many with the highest confidences; of equals, the first. */
function rightAmong({ columns, predictionBits }: Collected, most: number): number {
  const { predictionFirsts, confidences } = columns;
  let right = 0;
  for (let picture = 0; picture < predictionFirsts.length - 1; picture++) {
    const [first, end] = [predictionFirsts[picture]!, predictionFirsts[picture + 1]!];
    const place = predictionBits.subarray(first, end).findIndex((bits) => (bits & IS_TRUE) !== 0);
    if (place === NONE) continue;
    const confidence = confidences[first + place]!;
    let ahead = 0;
    for (let at = first; at < end; at++) {
      if ((predictionBits[at]! & IS_SCORE) === 0) continue;
      if (confidences[at]! > confidence || (confidences[at] === confidence && at < first + place)) ahead++;
    }
    if (ahead < most) right++;
  }
  return right;
}

/** Where pictures have one label, the sum over all labels; of two labels, either of them. */
function brierOfLabels(ofLabels: readonly Figures[], mode: LabelMode): number | null {
  const values = ofLabels.flatMap(({ brier }) => brier ?? []);
  const mean = meanOf(values);
  return mean === null || mode === 'multi' || values.length === 2 ? mean : mean * values.length;
}

function calibrationErrorOf({ outcomes, confidences }: OutcomeColumns, places: Int32Array): number | null {
  const thoseWith = (isWanted: (outcome: number) => boolean): Float64Array =>
    Float64Array.from(
      places.filter((place) => isWanted(outcomes[place]!)),
      (place) => confidences[place]!,
    ).sort();
  const hits = thoseWith((outcome) => outcome === TP);
  const mistakes = thoseWith((outcome) => outcome !== TP && outcome !== IGNORED);
  return calibrationError(reliabilityOf({ hits, mistakes, truth: 0 }));
}

/** Where pictures have several labels, the mean over the labels, each of which is true or not. */
function agreementOfLabels(
  columns: OutcomeColumns,
  tallies: readonly Tally[],
  judged: JudgedPictures,
  counts: Counts,
): PairAgreement {
  if (judged.mode === 'single') return agreementAt(columns, counts, { countsNothing: false });
  const agreements = tallies.map((tally) => agreementOfLabel(tally, judged));
  return {
    kappa: meanOf(agreements.map(({ kappa }) => kappa)),
    alpha: meanOf(agreements.map(({ alpha }) => alpha)),
  };
}

/** Of pictures with a label and without it. */
export function agreementOfLabel({ hits, mistakes, truth }: Tally, { pictures }: JudgedPictures): PairAgreement {
  const [yes, no] = ['yes', 'no'];
  return agreementOfPairs(
    [
      { first: yes, second: yes, items: hits },
      { first: no, second: yes, items: mistakes },
      { first: yes, second: no, items: truth - hits },
      { first: no, second: no, items: pictures - truth - mistakes },
    ].filter(({ items }) => items > 0),
  );
}
