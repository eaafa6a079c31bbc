import { cornersOf } from '../../annotation-formats/convert-shapes';
import type { Annotation, BoxNumbers } from '../../annotations/annotation';
import { EvaluationError } from '../evaluation-error';
import type { PictureSize } from '../picture-matcher';
import { extentOfBox, overlapOfBoxes } from './box-overlaps';
import type { Extent } from './near-shapes';
import type { Overlaps } from './overlaps';
import { togglesOfPolygon } from './polygon-toggles';
import { commonPixels, pixelsOf, togglesOfMask, type Toggles } from './toggles';

interface Covered {
  readonly toggles: Toggles;
  readonly pixels: number;
  readonly box: BoxNumbers;
}

/** The pixels that masks and polygons cover; a box is the polygon of its corners. */
export class RunOverlaps implements Overlaps<Covered> {
  shapeOf(annotation: Annotation, picture: PictureSize): Covered | undefined {
    const { mask, polygon, box, rotation, id } = annotation;
    if (mask === undefined && polygon === undefined && box === undefined) return undefined;
    const toggles =
      mask === undefined
        ? togglesOfPolygon(polygon ?? [cornersOf(box!, rotation)], picture)
        : togglesOfMask(mask, picture);
    if (toggles === undefined) throw new EvaluationError(`The outline of annotation ${id} is too long to be compared`);
    return { toggles, pixels: pixelsOf(toggles), box: boxAround(toggles, picture) };
  }

  extentOf({ box }: Covered): Extent {
    return extentOfBox(box);
  }

  reachOf({ box }: Covered): Extent {
    return extentOfBox(box);
  }

  sizeOf({ toggles }: Covered): number {
    return toggles.length;
  }

  areaOf({ pixels }: Covered): number {
    return pixels;
  }

  truthAreaOf({ pixels }: Covered, { area }: Annotation): number {
    return area ?? pixels;
  }

  isFindable(): boolean {
    return true;
  }

  between(prediction: Covered, truth: Covered, isCrowd: boolean): number {
    if (overlapOfBoxes(prediction.box, truth.box, false) === 0) return 0;
    const common = commonPixels(prediction.toggles, truth.toggles);
    if (common === 0) return 0;
    return common / (isCrowd ? prediction.pixels : prediction.pixels + truth.pixels - common);
  }
}

function boxAround(toggles: Toggles, { height }: PictureSize): BoxNumbers {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < toggles.length; at += 2) {
    const [start, last] = [toggles[at]!, toggles[at + 1]! - 1];
    const [first, end] = [Math.floor(start / height), Math.floor(last / height)];
    [left, right] = [Math.min(left, first), Math.max(right, end + 1)];
    top = Math.min(top, first === end ? start % height : 0);
    bottom = Math.max(bottom, first === end ? (last % height) + 1 : height);
  }
  return right < left ? [0, 0, 0, 0] : [left, top, right - left, bottom - top];
}
