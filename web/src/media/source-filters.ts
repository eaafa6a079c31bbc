import type { VqlFilter } from 'dataset-media-service-sdk';
import { texts } from '../texts';
import { areWritable, writtenOf, type AttributeTests } from './attribute-texts';

/** Media with annotations of a source. */
export interface SourceFilter {
  readonly source: string;
  /** Any of them; any label at all if there are none. */
  readonly labels: readonly string[];
  /** The confidence of the annotations, 0 to 1. */
  readonly confidence: readonly [least: number, most: number];
  /** How many such annotations a medium has at least. */
  readonly count: number;
  /** What attributes of the annotations are. */
  readonly attributes: AttributeTests;
}

const WHOLE = [0, 1] as const;
const ANY_LABEL = { op: 'not_one_of', value: ['unlabeled'] } as const;

const anyOf = (source: string): SourceFilter => ({ source, labels: [], confidence: WHOLE, count: 1, attributes: {} });

/** Undefined if it is another filter, or asks for more. Filters that people wrote themselves may be of any shape. */
export function sourceFilterOf(filter: object): SourceFilter | undefined {
  const [[key, inner] = ['', undefined], ...more] = Object.entries(filter as Readonly<Record<string, unknown>>);
  if (key !== 'labels' || more.length > 0 || typeof inner !== 'object' || inner === null) return undefined;
  const asked = inner as Readonly<Record<string, unknown>>;
  const { op, value, source, confidence = WHOLE, count = 1, attributes, ...others } = asked;
  if (typeof source !== 'string' || typeof count !== 'number' || !isPair(confidence)) return undefined;
  if (Object.keys(others).length > 0 || !isTexts(value)) return undefined;
  if (attributes !== undefined && !areWritable(attributes)) return undefined;
  const isAny = op === ANY_LABEL.op && value.length === 1 && value[0] === ANY_LABEL.value[0];
  if (!isAny && op !== 'one_of') return undefined;
  return { source, labels: isAny ? [] : value, confidence, count, attributes: attributes ?? {} };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');

export const sourceFiltersOf = (filters: readonly VqlFilter[]): readonly SourceFilter[] =>
  filters.flatMap((filter) => sourceFilterOf(filter) ?? []);

export const sourceFilterText = (filter: SourceFilter): string =>
  texts.annotations.filtered({ ...filter, attributes: writtenOf(filter.attributes) });

function vqlOf({ source, labels, confidence, count, attributes }: SourceFilter): VqlFilter {
  const [least, most] = confidence;
  return {
    labels: {
      ...(labels.length === 0 ? { ...ANY_LABEL, value: [...ANY_LABEL.value] } : { op: 'one_of', value: [...labels] }),
      source,
      ...(least > 0 || most < 1 ? { confidence: [least, most] } : {}),
      ...(count > 1 ? { count } : {}),
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    },
  };
}

/** With this changed in the filter of the source, or with a filter of the source if there is none. */
export function withSource(
  filters: readonly VqlFilter[],
  source: string,
  part: Partial<Omit<SourceFilter, 'source'>> = {},
): readonly VqlFilter[] {
  const at = filters.findIndex((filter) => sourceFilterOf(filter)?.source === source);
  const changed = vqlOf({ ...(sourceFilterOf(filters[at] ?? {}) ?? anyOf(source)), ...part });
  const others = withoutSource(filters, source);
  return at < 0 ? [...others, changed] : [...others.slice(0, at), changed, ...others.slice(at)];
}

export const withoutSource = (filters: readonly VqlFilter[], source: string): readonly VqlFilter[] =>
  filters.filter((filter) => sourceFilterOf(filter)?.source !== source);
