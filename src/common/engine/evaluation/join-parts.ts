import { ID_WORDS } from '../annotations/segment';
import { labelOfPrediction, placesByLabel, type Collected } from './collected';
import { assertFewLabels, type ComparedPart } from './columns-builder';
import { NONE } from './outcomes';
import { pictureSamples } from './samples/picture-samples';

type NumberArray = Int32Array | Uint32Array | Uint8Array | Float32Array | Float64Array;

interface Picture {
  readonly part: ComparedPart;
  readonly labels: Int32Array;
  readonly rank: number;
  readonly at: number;
  /** Where its annotations begin in the part. */
  readonly truth: number;
  readonly predictions: number;
}

/** What threads have compared, with pictures in the order of their ranks. */
export function joined(parts: readonly ComparedPart[], wordsOfPrediction: number): Collected {
  const labels = [...new Set(parts.flatMap((part) => part.labels))].sort();
  assertFewLabels(labels.length);
  const numbers = new Map(labels.map((label, number) => [label, number]));
  const pictures = parts
    .flatMap((part) =>
      picturesOf(
        part,
        Int32Array.from(part.labels, (label) => numbers.get(label)!),
      ),
    )
    .sort((a, b) => a.rank - b.rank);
  const truth = sum(parts.map(({ columns }) => columns.truthLabels.length));
  const predictions = sum(parts.map(({ columns }) => columns.predictionLabels.length));
  const collected = emptyColumns(pictures.length, truth, predictions, wordsOfPrediction);
  for (const [at, picture] of pictures.entries()) copy(picture, at, collected, wordsOfPrediction);
  const { truthBits, predictionBits, ...columns } = collected;
  return {
    columns,
    labels,
    truthBits,
    predictionBits,
    truthByLabel: placesByLabel(columns.truthLabels, labels.length),
    predictionsByLabel: placesByLabel(
      columns.predictionLabels.map((_, place) => labelOfPrediction(columns, place)),
      labels.length,
    ),
    samples: pictureSamples(columns),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function picturesOf(part: ComparedPart, labels: Int32Array): Picture[] {
  const { ranks, truthSizes, predictionSizes } = part.columns;
  let [truth, predictions] = [0, 0];
  return Array.from(ranks, (rank, at) => {
    const picture = { part, labels, rank, at, truth, predictions };
    truth += truthSizes[at]!;
    predictions += predictionSizes[at]!;
    return picture;
  });
}

const shared = <A extends NumberArray>(
  make: { new (buffer: SharedArrayBuffer): A; readonly BYTES_PER_ELEMENT: number },
  length: number,
): A => new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT));

const emptyColumns = (pictures: number, truth: number, predictions: number, words: number) => ({
  ids: shared(Uint32Array, pictures * ID_WORDS),
  truthFirsts: shared(Int32Array, pictures + 1),
  truthLabels: shared(Int32Array, truth),
  truthAreas: shared(Float32Array, truth),
  truthCounts: shared(Uint8Array, truth),
  truthPartners: shared(Int32Array, truth),
  truthClaims: shared(Int32Array, truth),
  truthKeys: shared(Uint32Array, truth),
  truthBits: shared(Uint8Array, truth),
  predictionFirsts: shared(Int32Array, pictures + 1),
  predictionLabels: shared(Int32Array, predictions),
  predictionAreas: shared(Float32Array, predictions),
  confidences: shared(Float64Array, predictions),
  outcomes: shared(Uint8Array, predictions),
  partners: shared(Int32Array, predictions),
  ious: shared(Float32Array, predictions),
  predictionKeys: shared(Uint32Array, predictions),
  predictionBits: shared(Uint32Array, predictions * words),
});

const TRUTH_AS_IT_IS = ['truthAreas', 'truthCounts', 'truthKeys', 'truthBits'] as const;
const PREDICTIONS_AS_THEY_ARE = ['predictionAreas', 'confidences', 'outcomes', 'ious', 'predictionKeys'] as const;

function copy(picture: Picture, at: number, to: ReturnType<typeof emptyColumns>, words: number): void {
  const { columns } = picture.part;
  const [truth, predictions] = [columns.truthSizes[picture.at]!, columns.predictionSizes[picture.at]!];
  const [firstTruth, first] = [to.truthFirsts[at]!, to.predictionFirsts[at]!];
  to.truthFirsts[at + 1] = firstTruth + truth;
  to.predictionFirsts[at + 1] = first + predictions;
  copyNumbers(columns.ids, picture.at * ID_WORDS, to.ids, at * ID_WORDS, ID_WORDS);
  for (const name of TRUTH_AS_IT_IS) copyNumbers(columns[name], picture.truth, to[name], firstTruth, truth);
  for (const name of PREDICTIONS_AS_THEY_ARE)
    copyNumbers(columns[name], picture.predictions, to[name], first, predictions);
  copyNumbers(
    columns.predictionBits,
    picture.predictions * words,
    to.predictionBits,
    first * words,
    predictions * words,
  );
  const moved = (place: number, by: number): number => (place === NONE ? NONE : place + by);
  for (let i = 0; i < truth; i++) {
    to.truthLabels[firstTruth + i] = picture.labels[columns.truthLabels[picture.truth + i]!]!;
    to.truthPartners[firstTruth + i] = moved(columns.truthPartners[picture.truth + i]!, first);
    to.truthClaims[firstTruth + i] = moved(columns.truthClaims[picture.truth + i]!, first);
  }
  for (let i = 0; i < predictions; i++) {
    to.predictionLabels[first + i] = picture.labels[columns.predictionLabels[picture.predictions + i]!]!;
    to.partners[first + i] = moved(columns.partners[picture.predictions + i]!, firstTruth);
  }
}

function copyNumbers(from: NumberArray, start: number, to: NumberArray, at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = from[start + i]!;
}
