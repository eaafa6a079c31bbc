import { ValidationFailedError } from '../../../../common/platform/http/zod-validation.pipe';
import type { EvaluatedFile } from '../../../versions';
import type { EvaluationFilter, Filter } from './filter';

/** A search names an evaluation that the dataset does not have, or that has no result. */
export class NoOutcomesError extends ValidationFailedError {
  constructor(reason: string, id: string, where: 'query' | 'vql') {
    super([{ type: 'value_error', loc: [where, 'evaluation'], msg: reason, input: id }]);
    this.message = reason;
  }
}

function* evaluationFilters(filters: readonly Filter[]): Generator<EvaluationFilter> {
  for (const filter of filters) {
    if (filter.kind === 'evaluation') yield filter;
    else if (filter.kind === 'and' || filter.kind === 'or') yield* evaluationFilters(filter.filters);
    else if (filter.kind === 'not') yield* evaluationFilters([filter.filter]);
  }
}

/** The ids of the evaluations that filters name and that are not known yet. */
export const openEvaluations = (filters: readonly Filter[]): string[] =>
  [...evaluationFilters(filters)].flatMap(({ found, evaluation, betterIn }) =>
    found === undefined ? [evaluation, ...(betterIn === undefined ? [] : [betterIn])] : [],
  );

/** Filters of VQL as they were sent, in which evaluations have the ids of their copies in another dataset. */
export function withCopiedEvaluations(filters: readonly unknown[], copies: ReadonlyMap<string, string>): unknown[] {
  const copyOf = (id: unknown): unknown => (typeof id === 'string' && copies.get(id.toLowerCase())) || id;
  const copied = (filter: unknown): unknown => {
    const { and, or, not, evaluation } = filter as Readonly<Record<string, unknown>>;
    if (Array.isArray(and)) return { and: and.map(copied) };
    if (Array.isArray(or)) return { or: or.map(copied) };
    if (not !== undefined) return { not: copied(not) };
    if (evaluation === undefined) return filter;
    const asked = evaluation as { readonly evaluation: unknown; readonly better_in?: unknown };
    const better = asked.better_in === undefined ? {} : { better_in: copyOf(asked.better_in) };
    return { evaluation: { ...asked, evaluation: copyOf(asked.evaluation), ...better } };
  };
  return filters.map(copied);
}

/** The files that filters read. */
export const evaluatedFiles = (filters: readonly Filter[]): string[] =>
  [...evaluationFilters(filters)].flatMap(({ found }) =>
    [found?.of, found?.betterIn].flatMap((each) => (each === undefined ? [] : [each.file])),
  );

/** By id; null of an evaluation without a result. */
export type KnownEvaluations = ReadonlyMap<string, EvaluatedFile | null>;

export const unknownEvaluation = (id: string): string => `The dataset has no evaluation ${id}.`;

/** Why nothing is found by an evaluation that is unknown or has no result. */
export function noOutcomes(id: string, known: KnownEvaluations, where: 'query' | 'vql'): NoOutcomesError {
  const unfinished = `The evaluation ${id} has no result yet. Wait until it has completed.`;
  return new NoOutcomesError(known.has(id) ? unfinished : unknownEvaluation(id), id, where);
}

export function assertKnown(id: string, known: KnownEvaluations, where: 'query' | 'vql'): EvaluatedFile {
  const found = known.get(id);
  if (found == null) throw noOutcomes(id, known, where);
  return found;
}

/** The same filters, with what their evaluations found. Those of unknown evaluations stay without. */
export function withFound(filters: readonly Filter[], known: KnownEvaluations): Filter[] {
  return filters.map((filter): Filter => {
    if (filter.kind === 'and' || filter.kind === 'or') return { ...filter, filters: withFound(filter.filters, known) };
    if (filter.kind === 'not') return { ...filter, filter: withFound([filter.filter], known)[0]! };
    if (filter.kind !== 'evaluation') return filter;
    const { evaluation, betterIn, confidence } = filter;
    const [found, better] = [known.get(evaluation), betterIn === undefined ? undefined : known.get(betterIn)];
    if (found == null || (betterIn !== undefined && better == null)) return filter;
    const cuts = confidence === undefined ? found.cuts : { confidence };
    return { ...filter, found: { of: { ...found, cuts }, ...(better != null && { betterIn: better }) } };
  });
}
