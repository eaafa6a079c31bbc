import type { Figures, SampledFigures } from '../../../common/engine/evaluation/evaluation-result';
import type { Interval } from '../../../common/engine/evaluation/statistics/resampling';
import {
  sampledDifference,
  sampledInterval,
  within,
} from '../../../common/engine/evaluation/statistics/sampled-interval';
import type { EvaluatedState } from './evaluated-state';

export type FigureIntervals = Readonly<Record<string, Interval>>;

/** Of 95 %, of figures whose samples were kept. */
export const intervalsOf = (metrics: Figures, samples: SampledFigures): FigureIntervals =>
  intervals(Object.keys(samples), (name) => {
    const figure = metrics[name] ?? null;
    const interval = figure === null ? undefined : sampledInterval(figure, samples[name]!);
    return interval && within(interval, 0, 1);
  });

interface Sampled {
  readonly metrics: Figures;
  readonly samples: SampledFigures;
  readonly evaluated: EvaluatedState;
}

/** Of the second figures less the first. Samples are pairs only if both compared the same pictures. */
export function intervalsOfDifferences(first: Sampled, second: Sampled): FigureIntervals {
  const { compared } = first.evaluated;
  if (compared === undefined || compared !== second.evaluated.compared) return {};
  return intervals(Object.keys(first.samples), (name) => {
    const [one, other] = [first.metrics[name] ?? null, second.metrics[name] ?? null];
    const samples = second.samples[name];
    if (one === null || other === null || samples === undefined) return undefined;
    const interval = sampledInterval(other - one, sampledDifference(first.samples[name]!, samples));
    return interval && within(interval, -1, 1);
  });
}

const intervals = (names: readonly string[], intervalOf: (name: string) => Interval | undefined): FigureIntervals =>
  Object.fromEntries(
    names.flatMap((name) => {
      const interval = intervalOf(name);
      return interval === undefined ? [] : [[name, interval]];
    }),
  );
