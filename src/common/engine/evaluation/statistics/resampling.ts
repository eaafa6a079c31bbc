import { ID_WORDS } from '../../annotations/segment';
import { sharedUint8 } from '../../arithmetic/shared-arrays';

const DRAWS = 2 ** 16;
/** Of SplitMix32. */
const STEP = 0x9e3779b9;

/** How often a picture is drawn, by the lower or upper half of a random number: Poisson's numbers with a mean of 1. */
const TIMES = timesOfDraws();

function timesOfDraws(): Uint8Array {
  const times = new Uint8Array(DRAWS);
  let [chance, upTo, drawn] = [Math.exp(-1), Math.exp(-1), 0];
  for (let draw = 0; draw < DRAWS; draw++) {
    while ((draw + 0.5) / DRAWS > upTo) {
      drawn += 1;
      chance /= drawn;
      upTo += chance;
    }
    times[draw] = drawn;
  }
  return times;
}

/** How often each picture is in a sample that is drawn again with replacement; the same seed gives the same samples. */
export class Resampling {
  readonly times: Uint8Array;
  private state: number;

  constructor(pictures: number, seed: number) {
    this.times = new Uint8Array(pictures);
    this.state = seed | 0;
  }

  draw(): void {
    const { times } = this;
    for (let picture = 0; picture < times.length; picture += 2) {
      const number = this.next();
      times[picture] = TIMES[number & 0xffff]!;
      if (picture + 1 < times.length) times[picture + 1] = TIMES[number >>> 16]!;
    }
  }

  private next(): number {
    this.state = (this.state + STEP) | 0;
    return mixed(this.state);
  }
}

export const SAMPLES = 100;

/**
 * How often each picture is in each sample, one sample after the other. A picture is drawn by its id, so it is as often in the samples of other evaluations:
 * stored figures of samples can be compared as long as this stays as it is.
 */
export function timesInSamples(ids: Uint32Array): Uint8Array {
  const pictures = ids.length / ID_WORDS;
  const times = sharedUint8(SAMPLES * pictures);
  for (let picture = 0; picture < pictures; picture++) {
    let seed = 0;
    for (let word = 0; word < ID_WORDS; word++) seed = mixed((seed + ids[picture * ID_WORDS + word]!) | 0);
    for (let sample = 0; sample < SAMPLES; sample += 2) {
      seed = (seed + STEP) | 0;
      const number = mixed(seed);
      times[sample * pictures + picture] = TIMES[number & 0xffff]!;
      times[(sample + 1) * pictures + picture] = TIMES[number >>> 16]!;
    }
  }
  return times;
}

/** A number of 32 bits that looks random (the end of SplitMix32). */
export function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

export type Interval = readonly [low: number, high: number];

/** The bounds that hold the middle `share` of the numbers; undefined without any. NaNs do not count. */
export function middle(numbers: Float64Array, share: number): Interval | undefined {
  const sorted = numbers.filter((each) => !Number.isNaN(each)).sort();
  if (sorted.length === 0) return undefined;
  const outside = (1 - share) / 2;
  return [quantile(sorted, outside), quantile(sorted, 1 - outside)];
}

function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const above = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return sorted[low]! + (place - low) * (above - sorted[low]!);
}
