import type { Annotation } from '../../annotations/annotation';
import { NONE } from '../outcomes';
import type { Overlaps } from '../overlap/overlaps';
import { overlapsOf } from '../overlap/overlaps-of';
import type { PictureMatcher, PictureOutcomes, PictureSize } from '../picture-matcher';
import type { EvaluationPlan } from '../plan';
import {
  AFTER_FIRST,
  AFTER_TENTH,
  ALL_THRESHOLDS,
  areasOf,
  IGNORED_FROM,
  reachedBy,
  THRESHOLDS,
  type AreaRange,
} from './coco-measures';
import { match, type Candidates } from './greedy-matching';
import { MadeOutcomes } from './made-outcomes';
import { PictureShapes, type LabelGroup } from './picture-shapes';
import { sortMistakes } from './sort-mistakes';

const IGNORED_ALWAYS = ALL_THRESHOLDS << IGNORED_FROM;
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
      const candidates = shapes.candidatesOf(group, this.leastOverlap);
      for (const at of this.areas.keys()) this.writeBits(made, shapes, group, candidates, at);
      this.writeRanks(made, group);
      mistaken.push(...this.findPartners(made, group, candidates));
    }
    sortMistakes(made, shapes, mistaken, options);
    return made;
  }

  private writeBits(
    made: MadeOutcomes,
    { truthAreas, predictionAreas, counts }: PictureShapes,
    { truth, predictions }: LabelGroup,
    candidates: Candidates,
    at: number,
  ): void {
    const area = this.areas[at]!;
    const counted = Uint8Array.from(truth, (place) =>
      counts[place] === 1 && isWithin(area, truthAreas[place]!) ? 1 : 0,
    );
    for (const [i, place] of truth.entries()) made.truthBits[place]! |= counted[i]! << at;
    const words = predictions.map((place) => (isWithin(area, predictionAreas[place]!) ? 0 : IGNORED_ALWAYS));
    if (candidates.truth.length > 0) {
      const pairs = new Int32Array(predictions.length);
      for (const [bit, threshold] of THRESHOLDS.entries()) {
        match(candidates, counted, reachedBy(threshold), pairs);
        for (const [i, pair] of pairs.entries()) {
          if (pair === NONE) continue;
          const [found, ignored] = [1 << bit, 1 << (IGNORED_FROM + bit)];
          words[i]! &= ~ignored;
          words[i]! |= counted[candidates.truth[pair]!] === 1 ? found : ignored;
        }
      }
    }
    for (const [i, place] of predictions.entries()) made.predictionBits[place * this.areas.length + at] = words[i]!;
  }

  private writeRanks(made: MadeOutcomes, { predictions }: LabelGroup): void {
    for (const [rank, place] of predictions.entries())
      made.predictionBits[place * this.areas.length]! |=
        (rank > 0 ? AFTER_FIRST : 0) | (rank >= TENTH ? AFTER_TENTH : 0);
  }

  /** Returns the predictions that find nothing. */
  private findPartners(made: MadeOutcomes, { truth, predictions }: LabelGroup, candidates: Candidates): number[] {
    const pairs = new Int32Array(predictions.length);
    const counted = Uint8Array.from(truth, (place) => made.truthCounts[place]!);
    match(candidates, counted, reachedBy(this.plan.options.iou), pairs);
    const mistaken: number[] = [];
    for (const [i, pair] of pairs.entries()) {
      if (pair === NONE) mistaken.push(predictions[i]!);
      else made.pair(predictions[i]!, truth[candidates.truth[pair]!]!, candidates.overlaps[pair]!);
    }
    return mistaken;
  }
}
