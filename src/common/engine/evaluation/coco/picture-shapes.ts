import type { Annotation } from '../../annotations/annotation';
import { throwIfGivenUp } from '../given-up';
import { Effort } from '../overlap/effort';
import { extentsOf, NearShapes, NOWHERE } from '../overlap/near-shapes';
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
  private readonly effort = new Effort();
  private readonly reaches: Float64Array;
  /** Of predictions. */
  readonly extents: Float64Array;

  constructor(
    private readonly overlaps: Overlaps<unknown>,
    picture: PictureSize,
    readonly truth: readonly Annotation[],
    readonly predictions: readonly Annotation[],
  ) {
    const shapeOf = (annotation: Annotation): unknown => {
      throwIfGivenUp();
      const shape = overlaps.shapeOf(annotation, picture);
      this.effort.hold(shape === undefined ? 0 : overlaps.sizeOf(shape));
      return shape;
    };
    this.truthShapes = truth.map(shapeOf);
    this.predictionShapes = predictions.map(shapeOf);
    this.truthAreas = new Float64Array(truth.length).fill(NaN);
    this.counts = new Uint8Array(truth.length);
    for (const [place, annotation] of truth.entries()) {
      const shape = this.truthShapes[place];
      if (shape === undefined) continue;
      this.truthAreas[place] = overlaps.truthAreaOf(shape, annotation);
      const isLeftOut = annotation.crowd === true || annotation.ignored === true || !overlaps.isFindable(shape);
      this.counts[place] = isLeftOut ? 0 : 1;
    }
    this.predictionAreas = new Float64Array(predictions.length).fill(NaN);
    for (const [place, shape] of this.predictionShapes.entries())
      if (shape !== undefined) this.predictionAreas[place] = overlaps.areaOf(shape);
    this.reaches = extentsOf(
      this.truthShapes.map((shape) => (shape === undefined ? NOWHERE : overlaps.reachOf(shape))),
    );
    this.extents = extentsOf(
      this.predictionShapes.map((shape) => (shape === undefined ? NOWHERE : overlaps.extentOf(shape))),
    );
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

  /** The pairs with at least this overlap; undefined if there are none. */
  candidatesOf({ truth, predictions }: LabelGroup, least: number): Candidates | undefined {
    if (truth.length === 0 || predictions.length === 0) return undefined;
    const firsts = new Int32Array(predictions.length + 1);
    const [places, overlaps]: [number[], number[]] = [[], []];
    const near = this.nearTruth(truth);
    for (let at = 0; at < predictions.length; at++) {
      const count = near.find(this.extents, predictions[at]!);
      for (let i = 0; i < count; i++) {
        const place = near.found[i]!;
        const overlap = this.overlap(predictions[at]!, truth[place]!);
        if (overlap < least) continue;
        places.push(place);
        overlaps.push(overlap);
      }
      this.effort.hold(2 * (places.length - firsts[at]!));
      firsts[at + 1] = places.length;
    }
    if (places.length === 0) return undefined;
    const crowds = new Uint8Array(truth.length);
    for (let place = 0; place < truth.length; place++) if (this.truth[truth[place]!]!.crowd === true) crowds[place] = 1;
    return { firsts, truth: places, overlaps, crowds };
  }

  /** To find which of these annotations of the truth predictions may cover. */
  nearTruth(truth: readonly number[]): NearShapes {
    return new NearShapes(truth, this.reaches, this.effort);
  }

  overlap(prediction: number, truth: number): number {
    const isCrowd = this.truth[truth]!.crowd === true;
    const [found, annotated] = [this.predictionShapes[prediction], this.truthShapes[truth]];
    this.effort.spend(this.overlaps.sizeOf(found) + this.overlaps.sizeOf(annotated));
    return this.overlaps.between(found, annotated, isCrowd);
  }
}

/** As COCO's tools order them without labels. */
function byLabel(places: number[], annotations: readonly Annotation[]): void {
  places.sort((a, b) => {
    const [one, other] = [annotations[a]!.label, annotations[b]!.label];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
}
