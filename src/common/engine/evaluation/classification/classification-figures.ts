import { countedIn, type Collected, type Unit } from '../collected';
import { calibrationError, reliabilityOf } from '../curves';
import type { Figures } from '../evaluation-result';
import { codeOf, NONE, type OutcomeColumns } from '../outcomes';
import { agreementAt, agreementOfPairs, type PairAgreement } from '../pair-agreement';
import type { Counts } from '../protocol-rules';
import { eachSample, timesOf, type PictureSamples } from '../samples/picture-samples';
import type { SampledMeans } from '../samples/sampled-means';
import { meanOf, ratesOf, share, type Tally } from '../rates';
import { hasLabel, type JudgedPictures } from './judged-pictures';
import { IS_SCORE, IS_TRUE } from './label-matcher';
import { averagePrecisionOf, brierOf, rocAucOf, type Scores } from './score-figures';
import type { LabelMode } from './settle-labels';

const [IGNORED, TP] = [codeOf('ignored'), codeOf('tp')];

/** How sure a label is, whatever confidence is chosen; nothing of a label that neither source gives. */
export function scoreFigures(collected: Collected, unit: Unit, { pictures }: JudgedPictures): Figures {
  const scores = scoresOf(collected, unit, pictures.length);
  if (scores.truth === 0 && scores.confidences.length === 0) return {};
  return {
    roc_auc: rocAucOf(scores),
    average_precision: averagePrecisionOf(scores),
    brier: brierOf(scores),
    ece: calibrationErrorOf(collected.columns, unit.predictions),
  };
}

function scoresOf({ columns, predictionBits }: Collected, unit: Unit, pictures: number): Scores {
  const places = scoresIn(predictionBits, unit);
  return {
    confidences: Float64Array.from(places, (place) => columns.confidences[place]!),
    isTrue: Uint8Array.from(places, (place) => ((predictionBits[place]! & IS_TRUE) !== 0 ? 1 : 0)),
    truth: countedIn(columns, unit),
    pictures,
  };
}

const scoresIn = (bits: Uint32Array, { predictions }: Unit): Int32Array =>
  predictions.filter((place) => (bits[place]! & IS_SCORE) !== 0);

/** How sure a label is, in samples. */
export function sampleScores(
  collected: Collected,
  unit: Unit,
  { pictures }: JudgedPictures,
  { samples, means }: Sampling,
): void {
  const scores = scoresOf(collected, unit, pictures.length);
  if (scores.truth === 0 && scores.confidences.length === 0) return;
  const ofScores = scoresIn(collected.predictionBits, unit).map((place) => samples.ofPredictions[place]!);
  const ofTruth = unit.truth
    .filter((place) => collected.columns.truthCounts[place] === 1)
    .map((place) => samples.ofTruth[place]!);
  eachSample(samples, (times, sample) => {
    const own = {
      ...repeatedScores(scores, ofScores, times),
      truth: timesOf(ofTruth, times),
      pictures: timesOf(pictures, times),
    };
    for (const [name, figure] of [
      ['roc_auc', rocAucOf(own)],
      ['average_precision', averagePrecisionOf(own)],
    ] as const)
      if (figure !== null) means.add(name, sample, figure);
  });
}

function repeatedScores(
  { confidences, isTrue }: Scores,
  pictures: Int32Array,
  times: Uint8Array,
): Pick<Scores, 'confidences' | 'isTrue'> {
  const count = timesOf(pictures, times);
  const repeated = { confidences: new Float64Array(count), isTrue: new Uint8Array(count) };
  let end = 0;
  for (let at = 0; at < pictures.length; at++)
    for (let left = times[pictures[at]!]!; left > 0; left--) {
      repeated.confidences[end] = confidences[at]!;
      repeated.isTrue[end++] = isTrue[at]!;
    }
  return repeated;
}

interface Sampling {
  readonly samples: PictureSamples;
  readonly means: SampledMeans;
}

interface Asked {
  readonly counts: Counts;
  readonly k: readonly number[];
}

/** Of all labels. Means of labels leave out those without the figure. */
export function classificationFigures(
  collected: Collected,
  ofLabels: readonly Figures[],
  judged: JudgedPictures,
  asked: Asked,
): Figures {
  const { mode } = judged;
  const { columns } = collected;
  const tallies = talliesOf(collected, countingIn(columns, asked.counts));
  const mean = (name: string): number | null => meanOf(ofLabels.map((figures) => figures[name] ?? null));
  return {
    ...shownOf(mode, sharesOf(rightPictures(collected, mode, asked), judged.pictures.length), rateFigures(tallies)),
    roc_auc: mean('roc_auc'),
    average_precision: mean('average_precision'),
    brier: brierOfLabels(ofLabels, mode),
    ece: calibrationErrorOf(columns, Int32Array.from(columns.outcomes.keys())),
    ...agreementOfLabels(columns, tallies, judged, asked.counts),
  };
}

const sharesOf = (right: Readonly<Record<string, Int32Array>>, pictures: number): Figures =>
  Object.fromEntries(Object.entries(right).map(([name, each]) => [name, share(each.length, pictures)]));

function shownOf(mode: LabelMode, { accuracy, ...tops }: Figures, { balanced_accuracy, ...rates }: Figures): Figures {
  return {
    accuracy: accuracy!,
    ...(mode === 'single' && { balanced_accuracy: balanced_accuracy!, ...tops }),
    ...rates,
  };
}

/** The figures of all labels that are told from few numbers, in samples. */
export function sampleLabels(
  collected: Collected,
  { mode, pictures }: JudgedPictures,
  asked: Asked,
  { samples, means }: Sampling,
): void {
  const counting = countingIn(collected.columns, asked.counts);
  const right = Object.entries(rightPictures(collected, mode, asked));
  eachSample(samples, (times, sample) => {
    const judged = timesOf(pictures, times);
    const shares = right.map(([name, each]) => [name, share(timesOf(each, times), judged)] as const);
    const rates = rateFigures(talliesOf(collected, counting, { ...samples, times }));
    for (const [name, figure] of Object.entries(shownOf(mode, Object.fromEntries(shares), rates)))
      if (figure !== null) means.add(name, sample, figure);
  });
}

/** Means of labels. */
function rateFigures(tallies: readonly Tally[]): Figures {
  const rates = tallies.filter((tally) => tally.hits + tally.mistakes + tally.truth > 0).map(ratesOf);
  const mean = (values: readonly (number | null)[]): number | null => meanOf(values.map((value) => value ?? 0));
  return {
    balanced_accuracy: meanOf(rates.map(({ recall }) => recall)),
    precision: mean(rates.map(({ precision }) => precision)),
    recall: mean(rates.map(({ recall }) => recall)),
    f1: mean(rates.map(({ f1 }) => f1)),
  };
}

const countingIn = ({ outcomes }: OutcomeColumns, counts: Counts): Int32Array =>
  Int32Array.from(outcomes.keys()).filter((place) => outcomes[place] !== IGNORED && counts(place));

/** In a sample, annotations are as often as their pictures. */
function talliesOf(
  { columns, labels }: Collected,
  counting: Int32Array,
  sample?: Pick<PictureSamples, 'ofTruth' | 'ofPredictions'> & { readonly times: Uint8Array },
): Tally[] {
  const { outcomes, partners, truthLabels, predictionLabels, truthCounts } = columns;
  const tallies = labels.map(() => ({ hits: 0, mistakes: 0, truth: 0 }));
  for (let truth = 0; truth < truthLabels.length; truth++) {
    const times = sample === undefined ? 1 : sample.times[sample.ofTruth[truth]!]!;
    tallies[truthLabels[truth]!]!.truth += times * truthCounts[truth]!;
  }
  for (const prediction of counting) {
    const times = sample === undefined ? 1 : sample.times[sample.ofPredictions[prediction]!]!;
    if (outcomes[prediction] === TP) tallies[truthLabels[partners[prediction]!]!]!.hits += times;
    else tallies[predictionLabels[prediction]!]!.mistakes += times;
  }
  return tallies;
}

/** By figure that is a share of pictures, those that are right. */
function rightPictures(
  collected: Collected,
  mode: LabelMode,
  { counts, k }: Asked,
): Readonly<Record<string, Int32Array>> {
  const pictures = Int32Array.from({ length: collected.columns.truthFirsts.length - 1 }, (_, picture) => picture);
  const tops = k.map((most) => [
    `top_${most}`,
    pictures.filter((picture) => isRightAmong(collected, picture, most)),
  ]) as [string, Int32Array][];
  return {
    accuracy: pictures.filter((picture) => isEntirelyRight(collected, picture, counts)),
    ...(mode === 'single' && Object.fromEntries(tops)),
  };
}

/** Whether a picture has all of its labels and no others. */
function isEntirelyRight(collected: Collected, picture: number, counts: Counts): boolean {
  const { truthFirsts, truthCounts, truthPartners, predictionFirsts, outcomes } = collected.columns;
  if (!hasLabel(collected, picture)) return false;
  for (let truth = truthFirsts[picture]!; truth < truthFirsts[picture + 1]!; truth++) {
    const partner = truthPartners[truth]!;
    if (truthCounts[truth] === 1 && (partner === NONE || !counts(partner))) return false;
  }
  for (let place = predictionFirsts[picture]!; place < predictionFirsts[picture + 1]!; place++)
    if (outcomes[place] !== IGNORED && outcomes[place] !== TP && counts(place)) return false;
  return true;
}

/** Whether the label of a picture is among so many with the highest confidences; of equals, the first. */
function isRightAmong({ columns, predictionBits }: Collected, picture: number, most: number): boolean {
  const { predictionFirsts, confidences } = columns;
  const [first, end] = [predictionFirsts[picture]!, predictionFirsts[picture + 1]!];
  const place = predictionBits.subarray(first, end).findIndex((bits) => (bits & IS_TRUE) !== 0);
  if (place === NONE) return false;
  const confidence = confidences[first + place]!;
  let ahead = 0;
  for (let at = first; at < end; at++) {
    if ((predictionBits[at]! & IS_SCORE) === 0) continue;
    if (confidences[at]! > confidence || (confidences[at] === confidence && at < first + place)) ahead++;
  }
  return ahead < most;
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
export function agreementOfLabel(
  { hits, mistakes, truth }: Tally,
  { pictures: { length: pictures } }: JudgedPictures,
): PairAgreement {
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
