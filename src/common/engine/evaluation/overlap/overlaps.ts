import type { Annotation } from '../../annotations/annotation';
import type { PictureSize } from '../picture-matcher';
import type { Extent } from './near-shapes';

/** What covers less has covered nothing, whatever is asked for. */
export const LEAST_OVERLAP = 0.01;

/** How far annotations of one kind cover each other, on shapes that are made once for each annotation. */
export interface Overlaps<Shape> {
  /** Undefined if the annotation has nothing that can be compared. */
  shapeOf(annotation: Annotation, picture: PictureSize): Shape | undefined;
  /** Of a prediction. */
  extentOf(shape: Shape): Extent;
  /** Of the truth: what does not meet it overlaps it by less than LEAST_OVERLAP. */
  reachOf(shape: Shape): Extent;
  /** How many numbers it has, which are read when it is compared. */
  sizeOf(shape: Shape): number;
  /** In square pixels, of a prediction, whatever area it was given. */
  areaOf(shape: Shape): number;
  /** Of the truth: as it was given, or that of its shape. */
  truthAreaOf(shape: Shape, annotation: Annotation): number;
  /** Whether an annotation of the truth can be found at all. */
  isFindable(shape: Shape): boolean;
  /** 0..1. Of a crowd, the share of the prediction that is in it. */
  between(prediction: Shape, truth: Shape, isCrowd: boolean): number;
}
