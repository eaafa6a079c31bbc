import type { Annotation } from '../../annotations/annotation';
import { NONE } from '../outcomes';
import type { Overlaps } from '../overlap/overlaps';
import { overlapsOf } from '../overlap/overlaps-of';
import type { PictureMatcher, PictureOutcomes, PictureSize } from '../picture-matcher';
import type { EvaluationPlan } from '../plan';
import {
  AFTER_FIRST,
  AFTER_TENTH,
  areasOf,
  IGNORED_ALWAYS,
  IGNORED_FROM,
  reachedBy,
  THRESHOLDS,
  type AreaRange,
} from './coco-measures';
import { match, type Candidates } from './greedy-matching';
import { MadeOutcomes } from './made-outcomes';
import { PictureShapes, type LabelGroup } from './picture-shapes';
import { sortMistakes } from './sort-mistakes';

const TENTH = 10;

const isWithin = ({ least, most }: AreaRange, area: number): boolean => area >= least && area <= most;

/** Compares pictures as COCO does. */
export class CocoMatcher implements PictureMatcher {
  private readonly overlaps: Overlaps<unknown>;
  private readonly areas: readonly AreaRange[];
  private readonly leastOverlap: number;

  constructor(private readonly plan: EvaluationPlan) {
    this.overlaps = overlapsOf(plan);
    this.areas = areasOf(plan);
    this.leastOverlap = reachedBy(Math.min(THRESHOLDS[0]!, plan.options.iou));
  }

  compare(picture: PictureSize, truth: readonly Annotation[], predictions: readonly Annotation[]): PictureOutcomes {
    const { options } = this.plan;
    const shapes = new PictureShapes(this.overlaps, picture, truth, predictions);
    const made = new MadeOutcomes(shapes, this.areas.length, IGNORED_ALWAYS);
    const mistaken: number[] = [];
    for (const group of shapes.groups(options.classAgnostic, options.maxDetections)) {
      this.writeAreas(made, shapes, group);
      this.writeRanks(made, group);
      const candidates = shapes.candidatesOf(group, this.leastOverlap);
      if (candidates === undefined) {
        mistaken.push(...group.predictions);
        continue;
      }
      const pairs = new Int32Array(group.predictions.length);
      for (const at of this.areas.keys()) this.writeFound(made, group, candidates, at, pairs);
      mistaken.push(...this.findPartners(made, group, candidates, pairs));
    }
    sortMistakes(made, shapes, mistaken, options);
    return made;
  }

  /** Without what is found. */
  private writeAreas(
    made: MadeOutcomes,
    { truthAreas, predictionAreas, counts }: PictureShapes,
    { truth, predictions }: LabelGroup,
  ): void {
    const words = this.areas.length;
    for (let at = 0; at < words; at++) {
      const area = this.areas[at]!;
      for (const place of truth)
        if (counts[place] === 1 && isWithin(area, truthAreas[place]!)) made.truthBits[place]! |= 1 << at;
      for (const place of predictions)
        made.predictionBits[place * words + at] = isWithin(area, predictionAreas[place]!) ? 0 : IGNORED_ALWAYS;
    }
  }

  private writeFound(
    made: MadeOutcomes,
    { truth, predictions }: LabelGroup,
    candidates: Candidates,
    at: number,
    pairs: Int32Array,
  ): void {
    const counted = new Uint8Array(truth.length);
    for (let i = 0; i < truth.length; i++) counted[i] = (made.truthBits[truth[i]!]! >> at) & 1;
    for (let bit = 0; bit < THRESHOLDS.length; bit++) {
      match(candidates, counted, reachedBy(THRESHOLDS[bit]!), pairs);
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i] === NONE) continue;
        const word = predictions[i]! * this.areas.length + at;
        const isCounted = counted[candidates.truth[pairs[i]!]!] === 1;
        const [found, ignored] = [1 << bit, 1 << (IGNORED_FROM + bit)];
        made.predictionBits[word] = (made.predictionBits[word]! & ~ignored) | (isCounted ? found : ignored);
      }
    }
  }

  private writeRanks(made: MadeOutcomes, { predictions }: LabelGroup): void {
    for (let rank = 1; rank < predictions.length; rank++)
      made.predictionBits[predictions[rank]! * this.areas.length]! |= AFTER_FIRST | (rank >= TENTH ? AFTER_TENTH : 0);
  }

  /** Returns the predictions that find nothing. */
  private findPartners(
    made: MadeOutcomes,
    { truth, predictions }: LabelGroup,
    candidates: Candidates,
    pairs: Int32Array,
  ): number[] {
    const counted = new Uint8Array(truth.length);
    for (let i = 0; i < truth.length; i++) counted[i] = made.truthCounts[truth[i]!]!;
    match(candidates, counted, reachedBy(this.plan.options.iou), pairs);
    const mistaken: number[] = [];
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i]!;
      if (pair === NONE) mistaken.push(predictions[i]!);
      else made.pair(predictions[i]!, truth[candidates.truth[pair]!]!, candidates.overlaps[pair]!);
    }
    return mistaken;
  }
}
