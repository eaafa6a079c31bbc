import type { Annotation } from '../annotations/annotation';
import { ID_WORDS, putId } from '../annotations/segment';
import { annotationKey } from './outcomes';
import type { PictureOutcomes } from './picture-matcher';

interface Places {
  [at: number]: number;
  readonly length: number;
}

/** Grows as numbers are added. */
class Column<A extends Places & { set(from: A): void; slice(start: number, end: number): A }> {
  private values: A;
  length = 0;

  constructor(private readonly make: (length: number) => A) {
    this.values = make(1_024);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = this.make(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  build(): A {
    const built = this.values.slice(0, this.length);
    this.values = this.make(0);
    return built;
  }
}

const int32 = (): Column<Int32Array> => new Column((length) => new Int32Array(length));
const uint32 = (): Column<Uint32Array> => new Column((length) => new Uint32Array(length));
const uint8 = (): Column<Uint8Array> => new Column((length) => new Uint8Array(length));
const float32 = (): Column<Float32Array> => new Column((length) => new Float32Array(length));
const float64 = (): Column<Float64Array> => new Column((length) => new Float64Array(length));

const columnsOf = () => ({
  ids: uint32(),
  ranks: int32(),
  truthSizes: int32(),
  predictionSizes: int32(),
  truthLabels: int32(),
  truthAreas: float32(),
  truthCounts: uint8(),
  truthPartners: int32(),
  truthClaims: int32(),
  truthKeys: uint32(),
  truthBits: uint8(),
  predictionLabels: int32(),
  predictionAreas: float32(),
  confidences: float64(),
  outcomes: uint8(),
  partners: int32(),
  ious: float32(),
  predictionKeys: uint32(),
  predictionBits: uint32(),
});

type Columns = ReturnType<typeof columnsOf>;

/** What one thread has compared. Partners are places in the lists of their picture. */
export interface ComparedPart {
  readonly columns: { readonly [Name in keyof Columns]: ReturnType<Columns[Name]['build']> };
  readonly labels: readonly string[];
}

export interface RankedPicture {
  readonly id: string;
  /** By file name: of equal confidences, those in pictures before are first. */
  readonly rank: number;
}

/** Collects the outcomes of pictures. */
export class ColumnsBuilder {
  private readonly columns = columnsOf();
  private readonly numbers = new Map<string, number>();
  private readonly words = new Uint32Array(ID_WORDS);

  constructor(private readonly wordsOfPrediction: number) {}

  add(
    { id, rank }: RankedPicture,
    truth: readonly Annotation[],
    predictions: readonly Annotation[],
    made: PictureOutcomes,
  ): void {
    const { columns } = this;
    putId(this.words, 0, id);
    for (const word of this.words) columns.ids.push(word);
    columns.ranks.push(rank);
    columns.truthSizes.push(truth.length);
    columns.predictionSizes.push(predictions.length);
    for (const [at, annotation] of truth.entries()) this.addTruth(annotation, made, at);
    for (const [at, annotation] of predictions.entries()) this.addPrediction(annotation, made, at);
  }

  build(): ComparedPart {
    const built = Object.entries(this.columns).map(([name, column]) => [name, column.build()] as const);
    return { columns: Object.fromEntries(built) as ComparedPart['columns'], labels: [...this.numbers.keys()] };
  }

  private addTruth(annotation: Annotation, made: PictureOutcomes, at: number): void {
    const { columns } = this;
    columns.truthLabels.push(this.numberOf(annotation.label));
    columns.truthAreas.push(made.truthAreas[at]!);
    columns.truthCounts.push(made.truthCounts[at]!);
    columns.truthPartners.push(made.truthPartners[at]!);
    columns.truthClaims.push(made.truthClaims[at]!);
    columns.truthKeys.push(annotationKey(annotation));
    columns.truthBits.push(made.truthBits?.[at] ?? 0);
  }

  private addPrediction(annotation: Annotation, made: PictureOutcomes, at: number): void {
    const { columns, wordsOfPrediction } = this;
    columns.predictionLabels.push(this.numberOf(annotation.label));
    columns.predictionAreas.push(made.predictionAreas[at]!);
    columns.confidences.push(annotation.confidence ?? 1);
    columns.outcomes.push(made.outcomes[at]!);
    columns.partners.push(made.partners[at]!);
    columns.ious.push(made.ious[at]!);
    columns.predictionKeys.push(annotationKey(annotation));
    for (let word = 0; word < wordsOfPrediction; word++)
      columns.predictionBits.push(made.predictionBits![at * wordsOfPrediction + word]!);
  }

  private numberOf(label: string): number {
    let number = this.numbers.get(label);
    if (number === undefined) this.numbers.set(label, (number = this.numbers.size));
    return number;
  }
}
