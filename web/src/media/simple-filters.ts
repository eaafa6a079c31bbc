import type { VqlFilter } from 'dataset-media-service-sdk';
import { evaluationFilterOf } from './evaluating/evaluation-filter';
import { sourceFilterOf } from './source-filters';

/** Filters that are lists of values, as the panel shows them. */
export const LIST_FILTERS = {
  labels: 'one_of',
  tags: 'one_of',
  issues: 'issue',
  folders: 'one_of',
  media_type: 'one_of',
  batch: 'one_of',
} as const;

/** A field of the dataset's own whose values are texts. */
export type FieldFilter = `field:${string}`;
export type ListFilter = keyof typeof LIST_FILTERS | FieldFilter;

export const fieldFilter = (name: string): FieldFilter => `field:${name}`;
export const isFieldFilter = (key: ListFilter): key is FieldFilter => key.startsWith('field:');
export const fieldOf = (key: FieldFilter): string => key.slice('field:'.length);

export const RANGE_FILTERS = ['width', 'height', 'file_size'] as const;
export type RangeFilter = (typeof RANGE_FILTERS)[number];
export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}
export type NumberFilter = 'duplicates' | 'uniqueness';
type Plain = Readonly<
  Record<string, { readonly op?: string; readonly value?: unknown; readonly with_narrower?: boolean }>
>;

const PLAIN = ['op', 'value', 'with_narrower'];

function find(filters: readonly VqlFilter[], key: string, op: string): Plain[string] | undefined {
  return (filters as readonly Plain[])
    .map((filter) => filter[key])
    .find((inner) => inner?.op === op && Object.keys(inner).every((name) => PLAIN.includes(name)));
}

const without = (filters: readonly VqlFilter[], key: string, op: string): readonly VqlFilter[] =>
  filters.filter((filter) => find([filter], key, op) === undefined);

const fieldFilters = (filters: readonly VqlFilter[], key: FieldFilter) =>
  filters.flatMap(({ metadata }) =>
    metadata?.op === 'one_of' && fieldFilter(metadata.field) === key ? [metadata] : [],
  );

export function valuesOf(filters: readonly VqlFilter[], key: ListFilter): readonly string[] {
  const list = isFieldFilter(key) ? fieldFilters(filters, key)[0] : find(filters, key, LIST_FILTERS[key]);
  const value = list?.value;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

const negated = (filters: readonly VqlFilter[]): readonly VqlFilter[] => filters.flatMap(({ not }) => not ?? []);

/** The values that a filter of this kind excludes. */
export const excludedOf = (filters: readonly VqlFilter[], key: ListFilter): readonly string[] =>
  valuesOf(negated(filters), key);

/** Whether chosen labels, or excluded ones, also stand for those below them. */
export const hasNarrower = (filters: readonly VqlFilter[], how: Choice = 'choose'): boolean =>
  find(how === 'choose' ? filters : negated(filters), 'labels', LIST_FILTERS.labels)?.with_narrower === true;

const listFilter = (key: ListFilter, value: readonly string[], narrower: boolean): VqlFilter[] =>
  value.length === 0
    ? []
    : [
        isFieldFilter(key)
          ? { metadata: { op: 'one_of', field: fieldOf(key), value: [...value] } }
          : { [key]: { op: LIST_FILTERS[key], value, ...(narrower ? { with_narrower: true } : {}) } },
      ];

export const withValues = (
  filters: readonly VqlFilter[],
  key: ListFilter,
  values: readonly string[],
  narrower = false,
) => [...filters.filter((filter) => valuesOf([filter], key).length === 0), ...listFilter(key, values, narrower)];

const withExcluded = (filters: readonly VqlFilter[], key: ListFilter, values: readonly string[], narrower: boolean) => [
  ...filters.filter((filter) => excludedOf([filter], key).length === 0),
  ...listFilter(key, values, narrower).map((not) => ({ not })),
];

/** The lists of values of the filters, those of fields only where there is a filter. */
export const listsIn = (filters: readonly VqlFilter[]): readonly ListFilter[] => [
  ...(Object.keys(LIST_FILTERS) as (keyof typeof LIST_FILTERS)[]),
  ...new Set(
    filters
      .flatMap((filter) => [filter, filter.not])
      .flatMap((filter) => (filter?.metadata?.op === 'one_of' ? [fieldFilter(filter.metadata.field)] : [])),
  ),
];

export type Choice = 'choose' | 'exclude';

/** Chooses a value or excludes it, or takes that back. With `narrower`, the labels of the filter also stand for those below them. */
export function toggled(
  filters: readonly VqlFilter[],
  key: ListFilter,
  value: string,
  how: Choice = 'choose',
  narrower = false,
): readonly VqlFilter[] {
  const others = (values: readonly string[]): readonly string[] => values.filter((each) => each !== value);
  const toggle = (values: readonly string[]): readonly string[] =>
    values.includes(value) ? others(values) : [...values, value];
  const [chosen, excluded] = [valuesOf(filters, key), excludedOf(filters, key)];
  const isChoice = how === 'choose';
  const isNarrower = (changed: Choice): boolean =>
    key === 'labels' && (hasNarrower(filters, changed) || (narrower && changed === how));
  return withExcluded(
    withValues(filters, key, isChoice ? toggle(chosen) : others(chosen), isNarrower('choose')),
    key,
    isChoice ? others(excluded) : toggle(excluded),
    isNarrower('exclude'),
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

const RANGE_OPS = ['gte', 'lte', 'between'];

/** Both null without such a filter. */
export function boundsOf(filters: readonly VqlFilter[], key: RangeFilter): Bounds {
  const number = (op: string): number | null => {
    const value = find(filters, key, op)?.value;
    return typeof value === 'number' ? value : null;
  };
  const both = find(filters, key, 'between')?.value;
  const [from, to] = Array.isArray(both) ? (both as readonly unknown[]) : [];
  if (typeof from === 'number' && typeof to === 'number') return { from, to };
  return { from: number('gte'), to: number('lte') };
}

export function withBounds(filters: readonly VqlFilter[], key: RangeFilter, { from, to }: Bounds) {
  const others = RANGE_OPS.reduce((rest, op) => without(rest, key, op), filters);
  if (from === null && to === null) return others;
  const [op, value] = from === null ? ['lte', to] : to === null ? ['gte', from] : ['between', [from, to]];
  return [...others, { [key]: { op, value } } as VqlFilter];
}

export function fileNameOf(filters: readonly VqlFilter[]): string {
  const value = find(filters, 'files', 'contains')?.value;
  return typeof value === 'string' ? value : '';
}

export function withFileName(filters: readonly VqlFilter[], value: string): readonly VqlFilter[] {
  const others = filters.filter((filter) => fileNameOf([filter]) === '');
  return value === '' ? others : [...others, { files: { op: 'contains', value } }];
}

export function wordsOf(filters: readonly VqlFilter[]): string {
  const value = find(filters, 'text', 'fts')?.value;
  return typeof value === 'string' ? value : '';
}

export function withWords(filters: readonly VqlFilter[], value: string): readonly VqlFilter[] {
  const others = without(filters, 'text', 'fts');
  return value === '' ? others : [...others, { text: { op: 'fts', value } }];
}

/** A text that pictures and captions are compared with. */
export interface Meaning {
  readonly text: string;
  /** The least similarity of a result, 0 to 1; null for all media, in their order. */
  readonly least: number | null;
}

/** The default of the lowest similarity of a result. */
export const LEAST_SIMILARITY = 0.2;

const meaningFilter = (filters: readonly VqlFilter[]): VqlFilter | undefined =>
  filters.find(({ text }) => text?.op === 'semantic');

export function meaningOf(filters: readonly VqlFilter[]): Meaning | null {
  const text = meaningFilter(filters)?.text;
  return text?.op === 'semantic' ? { text: text.value, least: text.threshold ?? null } : null;
}

export function withMeaning(filters: readonly VqlFilter[], meaning: Meaning | null): readonly VqlFilter[] {
  const known = meaningFilter(filters);
  const others = filters.filter((filter) => filter !== known);
  if (meaning === null) return others;
  const { text: value, least } = meaning;
  return [...others, { text: { op: 'semantic', value, ...(least === null ? {} : { threshold: least }) } }];
}

export const isOpen = ({ from, to }: Bounds): boolean => from === null && to === null;

/** The area drawn on the map. */
export const isArea = (filter: VqlFilter): boolean => 'map_area' in filter;

/** Filters that the panel and the search box do not show, written as VQL. */
export const otherFilters = (filters: readonly VqlFilter[]): readonly VqlFilter[] =>
  filters.filter(
    (filter) =>
      find([filter], 'text', 'fts') === undefined &&
      filter !== meaningFilter(filters) &&
      sourceFilterOf(filter) === undefined &&
      evaluationFilterOf(filter) === undefined &&
      fileNameOf([filter]) === '' &&
      RANGE_FILTERS.every((key) => isOpen(boundsOf([filter], key))) &&
      numberOf([filter], 'duplicates') === null &&
      numberOf([filter], 'uniqueness') === null &&
      listsIn([filter]).every((key) => valuesOf([filter], key).length + excludedOf([filter], key).length === 0),
  );
