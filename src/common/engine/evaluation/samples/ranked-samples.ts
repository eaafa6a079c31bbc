import { eachSample, timesOf, type PictureSamples } from './picture-samples';

/** Predictions by falling confidence. In a sample, each is as often as its picture. */
export interface Ranking {
  /** The picture of each prediction that counts, and of each annotation that is to be found. */
  readonly pictures: Int32Array;
  readonly truth: Int32Array;
  /** At each overlap: twice the places of predictions that do not count there, and of those that found something, which have one more. */
  readonly marks: readonly Int32Array[];
}

/** The ranks of hits in a sample at an overlap, as they are until the next call. */
export type RanksAt = (overlap: number) => Int32Array;

/** Visits samples in which there is something to find. */
export function eachRankedSample(
  samples: PictureSamples,
  { pictures, truth, marks }: Ranking,
  visit: (sample: number, ranksAt: RanksAt, truth: number) => void,
): void {
  const before = new Int32Array(pictures.length);
  const ranks = new RepeatedRanks();
  eachSample(samples, (times, sample) => {
    const wanted = timesOf(truth, times);
    if (wanted === 0) return;
    let count = 0;
    for (let place = 0; place < pictures.length; place++) {
      before[place] = count;
      count += times[pictures[place]!]!;
    }
    const ranksAt = (overlap: number): Int32Array => {
      let ignored = 0;
      ranks.length = 0;
      for (const mark of marks[overlap]!) {
        const place = mark >> 1;
        const repeated = times[pictures[place]!]!;
        if ((mark & 1) === 1) ranks.add(before[place]! - ignored, repeated);
        else ignored += repeated;
      }
      return ranks.values();
    };
    visit(sample, ranksAt, wanted);
  });
}

class RepeatedRanks {
  length = 0;
  private ranks = new Int32Array(64);

  add(before: number, times: number): void {
    if (this.length + times > this.ranks.length) {
      const longer = new Int32Array(2 * this.ranks.length);
      longer.set(this.ranks);
      this.ranks = longer;
    }
    for (let nth = 1; nth <= times; nth++) this.ranks[this.length++] = before + nth;
  }

  values(): Int32Array {
    return this.ranks.subarray(0, this.length);
  }
}
