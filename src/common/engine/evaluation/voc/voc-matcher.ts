import type { Annotation } from '../../annotations/annotation';
import { MadeOutcomes } from '../coco/made-outcomes';
import { PictureShapes } from '../coco/picture-shapes';
import { sortMistakes } from '../coco/sort-mistakes';
import { codeOf } from '../outcomes';
import type { Overlaps } from '../overlap/overlaps';
import { overlapsOf } from '../overlap/overlaps-of';
import type { PictureMatcher, PictureOutcomes, PictureSize } from '../picture-matcher';
import type { EvaluationPlan } from '../plan';
import { firstChoice } from './first-choice';

const IGNORED = codeOf('ignored');
const NO_WORDS = 0;

/** Compares pictures as PASCAL VOC does; coordinates are those of edges, not of pixels. */
export class VocMatcher implements PictureMatcher {
  private readonly overlaps: Overlaps<unknown>;

  constructor(private readonly plan: EvaluationPlan) {
    this.overlaps = overlapsOf(plan);
  }

  compare(picture: PictureSize, truth: readonly Annotation[], predictions: readonly Annotation[]): PictureOutcomes {
    const { options } = this.plan;
    const shapes = new PictureShapes(this.overlaps, picture, truth, predictions);
    const made = new MadeOutcomes(shapes, NO_WORDS, 0);
    const mistaken: number[] = [];
    const found = new Uint8Array(truth.length);
    for (const group of shapes.groups(options.classAgnostic, Infinity))
      for (const chosen of group.predictions.map(firstChoice(shapes, group.truth, { iou: options.iou, found }))) {
        if (chosen.choice === 'found') made.pair(chosen.prediction, chosen.truth, chosen.overlap);
        else if (chosen.choice === 'ignored') made.mark(chosen.prediction, IGNORED, chosen.truth, chosen.overlap);
        else mistaken.push(chosen.prediction);
      }
    sortMistakes(made, shapes, mistaken, options);
    return made;
  }
}
