import type { MetadataType } from '../../../../common/engine/media-table/media-row';
import { isDatetime } from '../../../../common/platform/text/iso-datetime';
import type { MetadataOp } from '../../../versions';
import type { Filter, MetadataFilter } from './filter';

const TEXT_OPS: readonly MetadataOp[] = ['eq', 'contains', 'one_of'];
const ORDER_OPS: readonly MetadataOp[] = ['eq', 'gt', 'lt', 'between'];

/** The ops of each type of field, with the types of their values. */
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

/** The reason why a filter cannot be about a field of this type; undefined for a field that the dataset does not have. */
export function misfitOf({ field, op, values }: MetadataFilter, type: MetadataType | undefined): string | undefined {
  const name = JSON.stringify(field);
  if (type === undefined) return `The dataset has no field ${name}.`;
  if (!OPS[type].includes(op))
    return `The field ${name} has the type ${type}; the op of its filter should be one of ${OPS[type].join(', ')}.`;
  if (!values.every((value) => isOfType(type, value)))
    return `The field ${name} has the type ${type}; the value of its filter should be ${VALUES[type]}.`;
  return undefined;
}

/** Those in groups, too. */
export function* metadataFilters(filters: readonly Filter[]): Generator<MetadataFilter> {
  for (const filter of filters) {
    if (filter.kind === 'metadata') yield filter;
    else if (filter.kind === 'and' || filter.kind === 'or') yield* metadataFilters(filter.filters);
    else if (filter.kind === 'not') yield* metadataFilters([filter.filter]);
  }
}
