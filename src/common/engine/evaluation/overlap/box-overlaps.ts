import { enclosingBox } from '../../annotation-formats/convert-shapes';
import type { Annotation, BoxNumbers } from '../../annotations/annotation';
import type { PictureSize } from '../picture-matcher';
import type { Extent } from './near-shapes';
import type { Overlaps } from './overlaps';

/** The upright boxes around shapes. */
export class BoxOverlaps implements Overlaps<BoxNumbers> {
  shapeOf(annotation: Annotation, picture: PictureSize): BoxNumbers | undefined {
    return enclosingBox(annotation, picture);
  }

  extentOf(box: BoxNumbers): Extent {
    return extentOfBox(box);
  }

  reachOf(box: BoxNumbers): Extent {
    return extentOfBox(box);
  }

  sizeOf(box: BoxNumbers): number {
    return box.length;
  }

  areaOf([, , width, height]: BoxNumbers): number {
    return width * height;
  }

  truthAreaOf(box: BoxNumbers, { area }: Annotation): number {
    return area ?? this.areaOf(box);
  }

  isFindable(): boolean {
    return true;
  }

  between(prediction: BoxNumbers, truth: BoxNumbers, isCrowd: boolean): number {
    return overlapOfBoxes(prediction, truth, isCrowd);
  }
}

export const extentOfBox = ([x, y, width, height]: BoxNumbers): Extent => [x, y, width + x, height + y];

export function overlapOfBoxes(
  [x, y, w, h]: BoxNumbers,
  [left, top, width, height]: BoxNumbers,
  isCrowd: boolean,
): number {
  const across = Math.min(w + x, width + left) - Math.max(x, left);
  if (across <= 0) return 0;
  const down = Math.min(h + y, height + top) - Math.max(y, top);
  if (down <= 0) return 0;
  const common = across * down;
  return common / (isCrowd ? w * h : w * h + width * height - common);
}
