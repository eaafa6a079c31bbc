import { codeOf, NONE } from '../outcomes';
import type { PictureOutcomes } from '../picture-matcher';
import type { PictureShapes } from './picture-shapes';

const [IGNORED, FOUND] = [codeOf('ignored'), codeOf('tp')];

/** The outcomes of a picture while they are found. Predictions are ignored at first. */
export class MadeOutcomes implements PictureOutcomes {
  readonly truthAreas: Float64Array;
  readonly truthCounts: Uint8Array;
  readonly truthPartners: Int32Array;
  readonly truthClaims: Int32Array;
  readonly predictionAreas: Float64Array;
  readonly outcomes: Uint8Array;
  readonly partners: Int32Array;
  readonly ious: Float64Array;
  readonly truthBits: Uint8Array;
  readonly predictionBits: Uint32Array;

  /** `words` for each prediction, all of which are at first as given. */
  constructor({ truthAreas, predictionAreas, counts }: PictureShapes, words: number, bits: number) {
    const [truth, predictions] = [truthAreas.length, predictionAreas.length];
    [this.truthAreas, this.predictionAreas, this.truthCounts] = [truthAreas, predictionAreas, counts];
    this.truthPartners = new Int32Array(truth).fill(NONE);
    this.truthClaims = new Int32Array(truth).fill(NONE);
    this.outcomes = new Uint8Array(predictions).fill(IGNORED);
    this.partners = new Int32Array(predictions).fill(NONE);
    this.ious = new Float64Array(predictions);
    this.truthBits = new Uint8Array(truth);
    this.predictionBits = new Uint32Array(predictions * words).fill(bits);
  }

  /** A prediction has found an annotation, which may be one that does not count. */
  pair(prediction: number, partner: number, overlap: number): void {
    this.mark(prediction, this.truthCounts[partner] === 1 ? FOUND : IGNORED, partner, overlap);
    if (this.truthCounts[partner] === 1) this.truthPartners[partner] = prediction;
  }

  mark(prediction: number, outcome: number, partner: number, overlap: number): void {
    this.outcomes[prediction] = outcome;
    this.partners[prediction] = partner;
    this.ious[prediction] = overlap;
  }
}
