/** The cosines that count as similarity 0 and 1. */
export interface Calibration {
  readonly unrelated: number;
  readonly matching: number;
}

/**
 * Puts the cosine distances of one model on the scale that all text searches share: 1 minus a similarity of 0 to 1. Affine, so the order
 * stays, and a threshold is decided on the cosine itself.
 */
export class SimilarityScale {
  static readonly PLAIN = new SimilarityScale({ unrelated: 0, matching: 1 });

  /** A shared distance of 1, as a difference of cosines. */
  private readonly range: number;
  /** The cosine distance of similarity 1. */
  private readonly start: number;

  constructor({ unrelated, matching }: Calibration) {
    this.range = matching - unrelated;
    this.start = 1 - matching;
  }

  get isPlain(): boolean {
    return this.range === 1 && this.start === 0;
  }

  /** The shared distance of a cosine distance; beyond 0 to 1 for cosines beyond the calibrated ones. */
  distanceOf(cosineDistance: number): number {
    return (cosineDistance - this.start) / this.range;
  }

  /** The cosine distance of a shared distance. */
  cosineDistanceOf(distance: number): number {
    return distance * this.range + this.start;
  }

  /** A bound of the error of shared distances, from one of cosine distances. */
  errorOf(error: number): number {
    return error / this.range;
  }
}
