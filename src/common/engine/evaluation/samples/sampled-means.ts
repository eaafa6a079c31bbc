import { SAMPLES } from '../statistics/resampling';

/** Sums of whole numbers are the same in any order, and so in any number of threads. */
const PARTS = 2 ** 32;
/** Of a figure, as it is kept. */
const DIGITS = 6;

/** By sample. */
interface Sums {
  readonly parts: Float64Array;
  readonly counts: Float64Array;
}

/** Of each figure its mean over labels in each sample. Figures are at most 1, those that are not defined left out. */
export class SampledMeans {
  /** By name, so that they can be sent to another thread. */
  readonly sums = new Map<string, Sums>();

  add(name: string, sample: number, figure: number): void {
    const { parts, counts } = this.of(name);
    parts[sample]! += Math.round(figure * PARTS);
    counts[sample]! += 1;
  }

  addAll(others: SampledMeans['sums']): void {
    for (const [name, { parts, counts }] of others) {
      const own = this.of(name);
      for (let sample = 0; sample < SAMPLES; sample++) {
        own.parts[sample]! += parts[sample]!;
        own.counts[sample]! += counts[sample]!;
      }
    }
  }

  /** Null where a sample has no figure. */
  means(): Record<string, (number | null)[]> {
    return Object.fromEntries(
      [...this.sums].map(([name, { parts, counts }]) => [
        name,
        Array.from(parts, (sum, sample) =>
          counts[sample] === 0 ? null : Number((sum / PARTS / counts[sample]!).toFixed(DIGITS)),
        ),
      ]),
    );
  }

  private of(name: string): Sums {
    let sums = this.sums.get(name);
    if (sums === undefined)
      this.sums.set(name, (sums = { parts: new Float64Array(SAMPLES), counts: new Float64Array(SAMPLES) }));
    return sums;
  }
}
