import type { VqlFilter } from 'dataset-media-service-sdk';

/** Filters that are lists of values, as the panel shows them. */
export const LIST_FILTERS = {
  labels: 'one_of',
  tags: 'one_of',
  issues: 'issue',
  folders: 'one_of',
  media_type: 'one_of',
} as const;

export type ListFilter = keyof typeof LIST_FILTERS;
export type NumberFilter = 'duplicates' | 'uniqueness';
type Plain = Readonly<Record<string, { readonly op?: string; readonly value?: unknown }>>;

function find(filters: readonly VqlFilter[], key: string, op: string): { readonly value?: unknown } | undefined {
  return (filters as readonly Plain[])
    .map((filter) => filter[key])
    .find((inner) => inner?.op === op && Object.keys(inner).length === 2);
}

const without = (filters: readonly VqlFilter[], key: string, op: string): readonly VqlFilter[] =>
  filters.filter((filter) => find([filter], key, op) === undefined);

export function valuesOf(filters: readonly VqlFilter[], key: ListFilter): readonly string[] {
  const value = find(filters, key, LIST_FILTERS[key])?.value;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function withValues(filters: readonly VqlFilter[], key: ListFilter, value: readonly string[]) {
  const op = LIST_FILTERS[key];
  const others = without(filters, key, op);
  return value.length === 0 ? others : [...others, { [key]: { op, value } } as VqlFilter];
}

export function toggled(filters: readonly VqlFilter[], key: ListFilter, value: string): readonly VqlFilter[] {
  const values = valuesOf(filters, key);
  return withValues(
    filters,
    key,
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value],
  );
}

export function numberOf(filters: readonly VqlFilter[], key: NumberFilter): number | null {
  const value = find(filters, key, key)?.value;
  return typeof value === 'number' ? value : null;
}

export function withNumber(filters: readonly VqlFilter[], key: NumberFilter, value: number | null) {
  const others = without(filters, key, key);
  return value === null ? others : [...others, { [key]: { op: key, value } } as VqlFilter];
}

export function wordsOf(filters: readonly VqlFilter[]): string {
  const value = find(filters, 'text', 'fts')?.value;
  return typeof value === 'string' ? value : '';
}

export function withWords(filters: readonly VqlFilter[], value: string): readonly VqlFilter[] {
  const others = without(filters, 'text', 'fts');
  return value === '' ? others : [...others, { text: { op: 'fts', value } }];
}

/** What the panel and the search box do not show: written as VQL by somebody. */
export const otherFilters = (filters: readonly VqlFilter[]): readonly VqlFilter[] =>
  filters.filter(
    (filter) =>
      find([filter], 'text', 'fts') === undefined &&
      numberOf([filter], 'duplicates') === null &&
      numberOf([filter], 'uniqueness') === null &&
      (Object.keys(LIST_FILTERS) as ListFilter[]).every((key) => valuesOf([filter], key).length === 0),
  );
