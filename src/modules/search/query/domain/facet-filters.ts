import type { EvaluationFilter, Filter, MetadataFilter, SourceCondition } from './filter';
import type { SearchQuery } from './search-query';
import type { MetadataType } from '../../../../common/engine/media-table/media-row';
import { isDatetime } from '../../../../common/platform/text/iso-datetime';
import type { MetadataOp, ShapeCondition } from '../../../versions';

const TEXT_OPS: readonly MetadataOp[] = ['eq', 'contains', 'one_of'];
const ORDER_OPS: readonly MetadataOp[] = ['eq', 'gt', 'lt', 'between'];

/** The ops for each type of field, with the types of their values. */
const OPS: Readonly<Record<MetadataType, readonly MetadataOp[]>> = {
  string: TEXT_OPS,
  enum: TEXT_OPS,
  link: TEXT_OPS,
  float: ORDER_OPS,
  datetime: ORDER_OPS,
  boolean: ['eq'],
};

const isOfType = (type: MetadataType, value: string | number | boolean): boolean => {
  if (type === 'float') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && (type !== 'datetime' || isDatetime(value));
};

const VALUES: Readonly<Record<MetadataType, string>> = {
  string: 'a string',
  enum: 'a string',
  link: 'a string',
  float: 'a number',
  datetime: 'a datetime such as 2026-01-31T12:00:00Z',
  boolean: 'true or false',
};

/** The name of the facet of a custom field. */
export type FieldFacetName = `field:${string}`;

/** The name of the facet of the labels of a source. */
type SourceFacetName = `labels:${string}`;

/** The name of the facet of the outcomes of an evaluation. */
type OutcomeFacetName = `outcomes:${string}`;

/** A list of values with counts, several of which a search can select, or the range of a field. */
export type Facet =
  'labels' | 'tags' | 'issues' | 'mediaTypes' | 'folders' | FieldFacetName | SourceFacetName | OutcomeFacetName;

export const labelsOfSource = (source: string): SourceFacetName => `labels:${source}`;

export const outcomesOf = (evaluation: string): OutcomeFacetName => `outcomes:${evaluation}`;

export const facetOfField = (field: string): FieldFacetName => `field:${field}`;

/** The facet of a filter that accepts any of several values or a range, so that adding a value or widening the range widens the result. */
export function facetOf(filter: Filter): Facet | undefined {
  switch (filter.kind) {
    case 'labels':
      return filter.op === 'one_of' ? labelFacetOf(filter) : undefined;
    case 'tags':
    case 'folders':
      return filter.op === 'one_of' ? filter.kind : undefined;
    case 'unlabeled':
      return labelFacetOf(filter);
    case 'untagged':
      return 'tags';
    case 'issues':
      return 'issues';
    case 'mediaType':
      return 'mediaTypes';
    case 'metadata':
      return filter.op === 'contains' ? undefined : facetOfField(filter.field);
    case 'evaluation':
      return outcomesOf(filter.evaluation);
    case 'or':
      return filter.filters.map(facetOf).reduce((one, other) => (one === other ? one : undefined));
    default:
      return undefined;
  }
}

const labelFacetOf = ({ of }: { readonly of?: SourceCondition }): Facet =>
  of === undefined ? 'labels' : labelsOfSource(of.source);

/** The query itself if it has no filter of the facet. */
export function withoutFacet(query: SearchQuery, facet: Facet): SearchQuery {
  const filters = query.filters.filter((filter) => facetOf(filter) !== facet);
  return filters.length === query.filters.length ? query : { ...query, filters };
}

/** What the first filter by any of the labels of a source, or by any label at all, asks of its annotations. */
export function conditionOn(source: string, filters: readonly Filter[]): ShapeCondition {
  for (const filter of filters) {
    const asked = filter.kind === 'not' && filter.filter.kind === 'unlabeled' ? filter.filter : filter;
    if (facetOf(asked) !== labelsOfSource(source)) continue;
    if (asked.kind === 'or') return conditionOn(source, asked.filters);
    if (asked.kind === 'labels' || asked.kind === 'unlabeled') return asked.of ?? {};
  }
  return {};
}

/** What the first filter by the outcomes of an evaluation asks of them. */
export function conditionOnOutcomes(evaluation: string, filters: readonly Filter[]): EvaluationFilter | undefined {
  for (const filter of filters) {
    if (facetOf(filter) !== outcomesOf(evaluation)) continue;
    if (filter.kind === 'or') return conditionOnOutcomes(evaluation, filter.filters);
    if (filter.kind === 'evaluation') return filter;
  }
  return undefined;
}

/** The filters of each field, and those without a field. */
export function fieldFilters(filters: readonly Filter[]): {
  readonly byField: ReadonlyMap<FieldFacetName, readonly Filter[]>;
  readonly others: readonly Filter[];
} {
  const isOfField = (facet: Facet | undefined): facet is FieldFacetName => facet?.startsWith('field:') === true;
  const byField = new Map<FieldFacetName, Filter[]>();
  const others: Filter[] = [];
  for (const filter of filters) {
    const facet = facetOf(filter);
    if (!isOfField(facet)) others.push(filter);
    else byField.set(facet, [...(byField.get(facet) ?? []), filter]);
  }
  return { byField, others };
}

/** The reason why a filter does not fit the type of its field; undefined if the dataset does not have the field. */
export function misfitOf({ field, op, values }: MetadataFilter, type: MetadataType | undefined): string | undefined {
  const name = JSON.stringify(field);
  if (type === undefined) return `The dataset has no field ${name}.`;
  if (!OPS[type].includes(op))
    return `The field ${name} has the type ${type}; the op of its filter should be one of ${OPS[type].join(', ')}.`;
  if (!values.every((value) => isOfType(type, value)))
    return `The field ${name} has the type ${type}; the value of its filter should be ${VALUES[type]}.`;
  return undefined;
}

/** Includes filters inside groups. */
export function* metadataFilters(filters: readonly Filter[]): Generator<MetadataFilter> {
  for (const filter of filters) {
    if (filter.kind === 'metadata') yield filter;
    else if (filter.kind === 'and' || filter.kind === 'or') yield* metadataFilters(filter.filters);
    else if (filter.kind === 'not') yield* metadataFilters([filter.filter]);
  }
}
