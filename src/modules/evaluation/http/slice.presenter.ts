import type { z } from 'zod';
import type { Interval } from '../../../common/engine/evaluation/statistics/resampling';
import type { Evaluation } from '../domain/evaluation';
import type { FigureIntervals } from '../domain/figure-intervals';
import { vqlOfSlice, type EvaluatedSlice, type EvaluatedSlices, type SlicedBy } from '../domain/slice';
import type { ComparedEvaluations } from '../slices/evaluation-comparison';
import type { comparisonResponse, slicesResponse, SlicesQuery } from './slice.schemas';

type PresentedSlice = z.infer<typeof slicesResponse>['slices'][number];

export function presentSlices(
  { id }: Evaluation,
  { figure, slices }: EvaluatedSlices,
  { by, all, limit, offset }: SlicesQuery,
): z.infer<typeof slicesResponse> {
  const listed = slices.filter((slice) => (all || slice.isFound) && isBy(slice, by));
  return {
    figure: 'f1',
    value: figure,
    total: listed.length,
    slices: listed.slice(offset, offset + limit).map((slice) => presentSlice([id], slice)),
  };
}

const isBy = ({ conditions }: EvaluatedSlice, by: SlicedBy | undefined): boolean =>
  by === undefined || conditions.some((each) => each.by === by);

function presentSlice(evaluations: readonly string[], slice: EvaluatedSlice): PresentedSlice {
  const { conditions, pictures, truth, figure, rest, interval, chance, isFound } = slice;
  return {
    conditions: conditions.map(({ by, value, name }) => ({ by, value, name })),
    n_media: pictures,
    n_truth: truth,
    figure,
    rest,
    difference: figure - rest,
    interval: [...interval],
    p: chance,
    worse: isFound,
    vql: vqlOfSlice(evaluations, conditions).map((filter) => ({ ...filter })),
  };
}

const orNull = (figure: number): number | null => (Number.isNaN(figure) ? null : figure);

const orNone = (interval: Interval | undefined): [number, number] | null =>
  interval === undefined ? null : [interval[0], interval[1]];

export function presentComparison(
  first: Evaluation,
  second: Evaluation,
  { pictures, figures, foundOnlyByFirst, foundOnlyBySecond, regressions }: ComparedEvaluations,
  differences: FigureIntervals,
): z.infer<typeof comparisonResponse> {
  const onlyBy = (better: Evaluation, worse: Evaluation, found: ComparedEvaluations['foundOnlyByFirst']) => ({
    count: found.annotations,
    n_media: found.pictures,
    vql: [{ evaluation: { op: 'is', evaluation: worse.id, value: ['fn'], better_in: better.id } }],
  });
  // Rates of labels of pictures are means of labels, which are among the figures of both.
  const pooled = first.task === 'classification' ? [] : figures;
  const resampled = pooled.map(({ name, first: a, second: b, interval }) => ({
    name,
    a: orNull(a),
    b: orNull(b),
    difference: orNull(b - a),
    interval: orNone(interval),
  }));
  return {
    n_media: pictures,
    figures: [...resampled, ...figuresOfBoth(first, second, new Set(resampled.map(({ name }) => name)), differences)],
    a_right_b_wrong: onlyBy(first, second, foundOnlyByFirst),
    b_right_a_wrong: onlyBy(second, first, foundOnlyBySecond),
    slices: regressions.map((slice) => presentSlice([first.id, second.id], slice)),
  };
}

/** The other figures of the evaluations. */
function figuresOfBoth(
  { result: a }: Evaluation,
  { result: b }: Evaluation,
  known: ReadonlySet<string>,
  differences: FigureIntervals,
): z.infer<typeof comparisonResponse>['figures'] {
  return Object.entries(a!.metrics).flatMap(([name, first]) => {
    const second = b!.metrics[name];
    if (known.has(name) || second === undefined) return [];
    const difference = first === null || second === null ? null : second - first;
    return [{ name, a: first, b: second, difference, interval: orNone(differences[name]) }];
  });
}
