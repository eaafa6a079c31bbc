import type { Annotation } from '../annotations/annotation';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What became of the annotations of one picture, by their places in its two lists. As `OutcomeColumns`, whose numbers of partners are places here. */
export interface PictureOutcomes {
  readonly truthAreas: ArrayLike<number>;
  readonly truthCounts: ArrayLike<number>;
  readonly truthPartners: ArrayLike<number>;
  readonly truthClaims: ArrayLike<number>;
  readonly predictionAreas: ArrayLike<number>;
  readonly outcomes: ArrayLike<number>;
  readonly partners: ArrayLike<number>;
  readonly ious: ArrayLike<number>;
  /** What figures of the protocol need besides: a number for each annotation of the truth, and `words` numbers for each prediction. */
  readonly truthBits?: ArrayLike<number>;
  readonly predictionBits?: ArrayLike<number>;
}

/** Compares what two sources say about one picture, by the rules of a protocol. */
export interface PictureMatcher {
  /** With the labels that the truth gives to the whole picture, where shapes are compared. */
  compare(
    picture: PictureSize,
    truth: readonly Annotation[],
    predictions: readonly Annotation[],
    pictureLabels: readonly Annotation[],
  ): PictureOutcomes;
}
