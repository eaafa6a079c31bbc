import type { Annotation } from '../../annotations/annotation';
import type { Overlaps } from '../overlap/overlaps';
import type { PictureSize } from '../picture-matcher';
import type { Candidates } from './greedy-matching';

/** Annotations that are compared with each other, as places in the lists of their picture. */
export interface LabelGroup {
  readonly truth: readonly number[];
  /** In falling order of confidence. */
  readonly predictions: readonly number[];
}

export const confidenceOf = ({ confidence = 1 }: Annotation): number => confidence;

/** What can be compared in a picture. */
export class PictureShapes {
  private readonly truthShapes: readonly unknown[];
  private readonly predictionShapes: readonly unknown[];
  readonly truthAreas: Float64Array;
  readonly predictionAreas: Float64Array;
  /** By annotation of the truth: 1 if it is to be found. */
  readonly counts: Uint8Array;

  constructor(
    private readonly overlaps: Overlaps<unknown>,
    picture: PictureSize,
    readonly truth: readonly Annotation[],
    readonly predictions: readonly Annotation[],
  ) {
    const shapeOf = (annotation: Annotation): unknown => overlaps.shapeOf(annotation, picture);
    this.truthShapes = truth.map(shapeOf);
    this.predictionShapes = predictions.map(shapeOf);
    const areaOf = (shape: unknown, place: number): number =>
      shape === undefined ? NaN : overlaps.truthAreaOf(shape, truth[place]!);
    this.truthAreas = Float64Array.from(this.truthShapes, areaOf);
    this.predictionAreas = Float64Array.from(this.predictionShapes, (shape) =>
      shape === undefined ? NaN : overlaps.areaOf(shape),
    );
    this.counts = Uint8Array.from(truth, ({ crowd, ignored }, place) => {
      const shape = this.truthShapes[place];
      return shape !== undefined && crowd !== true && ignored !== true && overlaps.isFindable(shape) ? 1 : 0;
    });
  }

  /** Of each label, or one of all labels; a picture has at most so many predictions of each. */
  *groups(isOne: boolean, mostPredictions: number): Generator<LabelGroup> {
    const found = new Map<string, { truth: number[]; predictions: number[] }>();
    const groupOf = ({ label }: Annotation): { truth: number[]; predictions: number[] } => {
      const key = isOne ? '' : label;
      let group = found.get(key);
      if (group === undefined) found.set(key, (group = { truth: [], predictions: [] }));
      return group;
    };
    for (const [place, annotation] of this.truth.entries())
      if (this.truthShapes[place] !== undefined) groupOf(annotation).truth.push(place);
    for (const [place, annotation] of this.predictions.entries())
      if (this.predictionShapes[place] !== undefined) groupOf(annotation).predictions.push(place);
    for (const { truth, predictions } of found.values()) {
      if (isOne)
        for (const [places, list] of [
          [truth, this.truth],
          [predictions, this.predictions],
        ] as const)
          byLabel(places, list);
      predictions.sort((a, b) => confidenceOf(this.predictions[b]!) - confidenceOf(this.predictions[a]!));
      yield { truth, predictions: predictions.slice(0, mostPredictions) };
    }
  }

  /** The pairs with at least this overlap. */
  candidatesOf({ truth, predictions }: LabelGroup, least: number): Candidates {
    const firsts = new Int32Array(predictions.length + 1);
    const [places, overlaps]: [number[], number[]] = [[], []];
    for (const [at, prediction] of predictions.entries()) {
      for (const [place, of] of truth.entries()) {
        const overlap = this.overlap(prediction, of);
        if (overlap < least) continue;
        places.push(place);
        overlaps.push(overlap);
      }
      firsts[at + 1] = places.length;
    }
    const crowds = Uint8Array.from(truth, (place) => (this.truth[place]!.crowd === true ? 1 : 0));
    return { firsts, truth: places, overlaps, crowds };
  }

  overlap(prediction: number, truth: number): number {
    const isCrowd = this.truth[truth]!.crowd === true;
    return this.overlaps.between(this.predictionShapes[prediction], this.truthShapes[truth], isCrowd);
  }
}

/** As COCO's tools order them without labels. */
function byLabel(places: number[], annotations: readonly Annotation[]): void {
  places.sort((a, b) => {
    const [one, other] = [annotations[a]!.label, annotations[b]!.label];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
}
