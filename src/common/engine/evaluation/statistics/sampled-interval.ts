import type { Interval } from './resampling';

/** Of a normal number, for 95 %. */
const WIDTH = 1.96;

/** By sample; null where it is not defined. */
export type SampledFigure = readonly (number | null)[];

/**
 * Of 95 % around a figure. Average precisions of few objects are too high, and those of samples are higher still: by as much the interval begins lower.
 * Undefined if most samples have no figure.
 */
export function sampledInterval(figure: number, samples: SampledFigure): Interval | undefined {
  const known = samples.filter((each) => each !== null);
  if (known.length <= samples.length / 2) return undefined;
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const squares = known.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const width = WIDTH * Math.sqrt(squares / (known.length - 1));
  const corrected = 2 * figure - mean;
  return [Math.min(figure, corrected) - width, Math.max(figure, corrected) + width];
}

/** Of the second figure less the first, in the same samples. */
export const sampledDifference = (first: SampledFigure, second: SampledFigure): SampledFigure =>
  first.map((one, sample) => {
    const other = second[sample] ?? null;
    return one === null || other === null ? null : other - one;
  });

export const within = ([low, high]: Interval, least: number, most: number): Interval => [
  Math.max(least, low),
  Math.min(most, high),
];
