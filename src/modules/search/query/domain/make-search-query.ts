import type { Level } from '../../../../common/engine/media-table/media-row';
import type { EntityType } from '../../../versions';
import type { Filter } from './filter';
import { type Ranking, type SearchQuery, sortOrderOf, type Sort } from './search-query';

const isText = (value: unknown): value is string => typeof value === 'string';
const unique = (labels: readonly string[]): string[] => [...new Set(labels)];

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');

export interface AskedSearch {
  readonly entityType: EntityType;
  readonly level: Level;
  readonly filters: readonly Filter[];
  readonly caption?: { readonly text: string; readonly maxDistance?: number } | undefined;
  readonly anchor?: { readonly id: string; readonly type: 'UPLOAD' | 'MEDIA' } | undefined;
  readonly sort?: Sort | undefined;
}

/** Ranks by the anchor if given, otherwise by the caption, the sort or the first text similarity, in this order. The others remain filters. */
export function makeSearchQuery({ entityType, level, filters, caption, anchor, sort }: AskedSearch): SearchQuery {
  const required = [...conjuncts(filters)];
  const duplicates = required.filter((filter) => filter.kind === 'duplicates').map((filter) => filter.similarity);
  const ranking = rankingOf(required, caption, anchor, sort);
  const kept = filters.filter((filter) => filter.kind !== 'textSimilarity' || filter.minSimilarity !== undefined);
  const bound: readonly Filter[] =
    anchor !== undefined && caption?.maxDistance !== undefined
      ? [{ kind: 'textSimilarity', by: 'caption', ...caption }]
      : [];
  return {
    entityType,
    level,
    filters: [...kept, ...bound],
    ...(ranking === undefined ? {} : { ranking }),
    ...(duplicates.length === 0 ? {} : { duplicates: Math.max(...duplicates) }),
  };
}

function rankingOf(
  required: readonly Filter[],
  caption: AskedSearch['caption'],
  anchor: AskedSearch['anchor'],
  sort: AskedSearch['sort'],
): Ranking | undefined {
  if (anchor !== undefined) return { kind: 'anchor', anchorId: anchor.id, anchorType: anchor.type };
  if (caption !== undefined) return { kind: 'textSimilarity', by: 'caption', ...caption };
  if (sort !== undefined) return { kind: 'measure', ...sortOrderOf(sort) };
  const textFilter = required.find((filter) => filter.kind === 'textSimilarity');
  if (textFilter === undefined) return undefined;
  const { kind, by, text } = textFilter;
  return { kind, by, text };
}

/** Filters that must all match, including those inside `and` groups. */
function* conjuncts(filters: readonly Filter[]): Generator<Filter> {
  for (const filter of filters) {
    if (filter.kind === 'and') yield* conjuncts(filter.filters);
    else yield filter;
  }
}

/** Parses `[dog,cat]` or `["dog","cat"]`; undefined for other texts. */
export function parseLabels(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']') || trimmed.length < 2) return undefined;
  const list = jsonList(trimmed);
  if (!list.some(isText)) return unique(splitAtCommas(trimmed.slice(1, -1)));
  return list.every(isText) ? unique(list) : undefined;
}

/** Empty if the text is not JSON. */
function jsonList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
