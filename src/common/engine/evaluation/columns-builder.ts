import type { Annotation } from '../annotations/annotation';
import { ID_WORDS, putId } from '../annotations/segment';
import { annotationKey } from './outcomes';
import { EvaluationError } from './evaluation-error';
import type { PictureOutcomes } from './picture-matcher';

type NumberArray = Int32Array | Uint32Array | Uint8Array | Float32Array | Float64Array;
type Columns = Record<string, NumberArray>;

/** The figures of all are in one answer. Ids and captions are no labels. */
const MOST_LABELS = 50_000;

export function assertFewLabels(count: number): void {
  if (count > MOST_LABELS)
    throw new EvaluationError(`More than ${MOST_LABELS} labels cannot be compared with each other`);
}

/** Columns that grow together. */
class GrowingColumns<C extends Columns> {
  length = 0;

  constructor(
    readonly columns: C,
    /** Numbers of each line, if there is more than one. */
    private readonly widths: Readonly<Record<string, number>> = {},
  ) {}

  /** Makes room for so many lines, and returns the number of the first. */
  add(count: number): number {
    const first = this.length;
    this.length += count;
    for (const [name, column] of Object.entries<NumberArray>(this.columns)) {
      const needed = this.length * this.widthOf(name);
      if (needed > column.length) this.resize(name, Math.max(needed, 2 * column.length));
    }
    return first;
  }

  build(): C {
    for (const name of Object.keys(this.columns)) this.resize(name, this.length * this.widthOf(name));
    return this.columns;
  }

  private widthOf(name: string): number {
    return this.widths[name] ?? 1;
  }

  private resize(name: string, length: number): void {
    const column = this.columns[name]!;
    const resized = new (column.constructor as new (length: number) => NumberArray)(length);
    resized.set(column.subarray(0, length));
    (this.columns as Columns)[name] = resized;
  }
}

const pictureColumns = () => ({
  ids: new Uint32Array(),
  ranks: new Int32Array(),
  truthSizes: new Int32Array(),
  predictionSizes: new Int32Array(),
});

const truthColumns = () => ({
  truthLabels: new Int32Array(),
  truthAreas: new Float32Array(),
  truthCounts: new Uint8Array(),
  truthPartners: new Int32Array(),
  truthClaims: new Int32Array(),
  truthKeys: new Uint32Array(),
  truthBits: new Uint8Array(),
});

const predictionColumns = () => ({
  predictionLabels: new Int32Array(),
  predictionAreas: new Float32Array(),
  confidences: new Float64Array(),
  outcomes: new Uint8Array(),
  partners: new Int32Array(),
  ious: new Float32Array(),
  predictionKeys: new Uint32Array(),
  predictionBits: new Uint32Array(),
});

type AllColumns = ReturnType<typeof pictureColumns> &
  ReturnType<typeof truthColumns> &
  ReturnType<typeof predictionColumns>;

/** What one thread has compared. Partners are places in the lists of their picture. */
export interface ComparedPart {
  readonly columns: Readonly<AllColumns>;
  readonly labels: readonly string[];
}

export interface RankedPicture {
  readonly id: string;
  /** By file name: of equal confidences, those in pictures before are first. */
  readonly rank: number;
}

/** Collects the outcomes of pictures. */
export class ColumnsBuilder {
  private readonly pictures = new GrowingColumns(pictureColumns(), { ids: ID_WORDS });
  private readonly truth = new GrowingColumns(truthColumns());
  private readonly predictions: GrowingColumns<ReturnType<typeof predictionColumns>>;
  private readonly numbers = new Map<string, number>();

  constructor(private readonly words: number) {
    this.predictions = new GrowingColumns(predictionColumns(), { predictionBits: words });
  }

  add(
    { id, rank }: RankedPicture,
    truth: readonly Annotation[],
    predictions: readonly Annotation[],
    made: PictureOutcomes,
  ): void {
    const picture = this.pictures.add(1);
    const { columns } = this.pictures;
    putId(columns.ids, picture, id);
    columns.ranks[picture] = rank;
    columns.truthSizes[picture] = truth.length;
    columns.predictionSizes[picture] = predictions.length;
    this.addTruth(truth, made);
    this.addPredictions(predictions, made);
  }

  build(): ComparedPart {
    const columns = { ...this.pictures.build(), ...this.truth.build(), ...this.predictions.build() };
    return { columns, labels: [...this.numbers.keys()] };
  }

  private addTruth(truth: readonly Annotation[], made: PictureOutcomes): void {
    const first = this.truth.add(truth.length);
    const { columns } = this.truth;
    for (let i = 0; i < truth.length; i++) {
      const at = first + i;
      columns.truthLabels[at] = this.numberOf(truth[i]!.label);
      columns.truthAreas[at] = made.truthAreas[i]!;
      columns.truthCounts[at] = made.truthCounts[i]!;
      columns.truthPartners[at] = made.truthPartners[i]!;
      columns.truthClaims[at] = made.truthClaims[i]!;
      columns.truthKeys[at] = annotationKey(truth[i]!);
      columns.truthBits[at] = made.truthBits?.[i] ?? 0;
    }
  }

  private addPredictions(predictions: readonly Annotation[], made: PictureOutcomes): void {
    const { words } = this;
    const first = this.predictions.add(predictions.length);
    const { columns } = this.predictions;
    for (let i = 0; i < predictions.length; i++) {
      const at = first + i;
      columns.predictionLabels[at] = this.numberOf(predictions[i]!.label);
      columns.predictionAreas[at] = made.predictionAreas[i]!;
      columns.confidences[at] = predictions[i]!.confidence ?? 1;
      columns.outcomes[at] = made.outcomes[i]!;
      columns.partners[at] = made.partners[i]!;
      columns.ious[at] = made.ious[i]!;
      columns.predictionKeys[at] = annotationKey(predictions[i]!);
    }
    for (let i = 0; i < predictions.length * words; i++)
      columns.predictionBits[first * words + i] = made.predictionBits![i]!;
  }

  private numberOf(label: string): number {
    let number = this.numbers.get(label);
    if (number !== undefined) return number;
    this.numbers.set(label, (number = this.numbers.size));
    assertFewLabels(this.numbers.size);
    return number;
  }
}
