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

/** The files that filters read. */
export const evaluatedFiles = (filters: readonly Filter[]): string[] =>
  [...evaluationFilters(filters)].flatMap(({ found }) =>
    [found?.of, found?.betterIn].flatMap((each) => (each === undefined ? [] : [each.file])),
  );

/** By id; null of an evaluation without a result. */
export type KnownEvaluations = ReadonlyMap<string, EvaluatedFile | null>;

export function assertKnown(id: string, known: KnownEvaluations, where: 'query' | 'vql'): EvaluatedFile {
  const found = known.get(id);
  if (found === undefined) throw new NoOutcomesError(`The dataset has no evaluation ${id}.`, id, where);
  if (found === null)
    throw new NoOutcomesError(`The evaluation ${id} has no result yet. Wait until it has completed.`, id, where);
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
