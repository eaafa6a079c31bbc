import type { PictureShapes } from '../coco/picture-shapes';
import { NONE } from '../outcomes';

export type Choice = 'found' | 'ignored' | 'double' | 'nothing';

/** What a prediction is about, as places in the lists of its picture. */
export interface Chosen {
  readonly prediction: number;
  readonly choice: Choice;
  readonly truth: number;
  readonly overlap: number;
}

interface Rules {
  readonly iou: number;
  /** By annotation of the truth: 1 if a prediction has found it. */
  readonly found: Uint8Array;
}

const NOTHING = { truth: NONE, overlap: 0 };

/**
 * The rule of PASCAL VOC and Open Images: each prediction, in order of confidence, is about the annotation that it covers best, also if another prediction has found
 * that one before. What is about no annotation, or a second one, may lie in a crowd, which is found once if it counts.
 */
export function firstChoice(
  shapes: PictureShapes,
  truth: readonly number[],
  { iou, found }: Rules,
): (prediction: number) => Chosen {
  const isCrowd = (place: number): boolean => shapes.truth[place]!.crowd === true;
  const bestSingle = bestIn(
    shapes,
    truth.filter((place) => !isCrowd(place)),
  );
  const bestCrowd = bestIn(shapes, truth.filter(isCrowd));
  return (prediction) => {
    const [best, crowd] = [bestSingle(prediction), bestCrowd(prediction)];
    const chosen = (choice: Choice, { truth, overlap }: typeof best): Chosen => {
      if (choice === 'found') found[truth] = 1;
      return { prediction, choice, truth, overlap };
    };
    if (best.overlap >= iou && shapes.counts[best.truth] === 0) return chosen('ignored', best);
    if (best.overlap >= iou && found[best.truth] === 0) return chosen('found', best);
    if (crowd.overlap >= iou) {
      const isFirst = shapes.counts[crowd.truth] === 1 && found[crowd.truth] === 0;
      return chosen(isFirst ? 'found' : 'ignored', crowd);
    }
    return best.overlap >= iou ? chosen('double', best) : chosen('nothing', NOTHING);
  };
}

/** Finds the annotation that a prediction covers best. */
function bestIn(shapes: PictureShapes, places: readonly number[]): (prediction: number) => typeof NOTHING {
  const near = shapes.nearTruth(places);
  return (prediction) => {
    let best = NOTHING;
    const count = near.find(shapes.extents, prediction);
    for (let i = 0; i < count; i++) {
      const truth = places[near.found[i]!]!;
      const overlap = shapes.overlap(prediction, truth);
      if (overlap > best.overlap) best = { truth, overlap };
    }
    return best;
  };
}
