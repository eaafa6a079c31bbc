import type { FullTextQuery } from '@lancedb/lancedb';
import { toFullTextQuery } from './caption-index';
import type { KeywordQuery } from './keyword-query';
import { OrdinalSet } from './ordinal-set';

export interface KeywordHits {
  readonly rows: OrdinalSet;
  /** By ordinal, best lowest: the negated BM25 score, Infinity for rows without a hit. */
  readonly ranks: Float32Array;
}

/** An index of captions. */
interface Asked {
  readonly column: string;
  ask(query: FullTextQuery): Promise<KeywordHits>;
}

/**
 * Undefined if there is nothing to search for. Lance ignores a nested exclusion for rows appended since the index was built if it excludes
 * all of them; such groups are queried one by one and combined here.
 */
export async function findKeywords(query: KeywordQuery, index: Asked): Promise<KeywordHits | undefined> {
  if (isSafeForLance(query)) {
    const fullText = toFullTextQuery(query, index.column);
    return fullText === undefined ? undefined : index.ask(fullText);
  }
  if (query.kind === 'or') return combined('or', query.parts, index);
  if (query.kind !== 'and') return undefined;
  const wanted = query.parts.filter(({ kind }) => kind !== 'not');
  const found = await combined('and', wanted, index);
  if (found === undefined) return undefined;
  const excluded = query.parts.flatMap((part) => (part.kind === 'not' ? [part.part] : []));
  const unwanted = await combined('or', excluded, index);
  return unwanted === undefined ? found : without(found, unwanted);
}

function isSafeForLance(query: KeywordQuery): boolean {
  if (query.kind !== 'and') return !excludes(query);
  return query.parts.every((part) => !excludes(part.kind === 'not' ? part.part : part));
}

function excludes(query: KeywordQuery): boolean {
  if (query.kind === 'and' || query.kind === 'or') return query.parts.some(excludes);
  return query.kind === 'not';
}

/** Groups that Lance handles correctly are queried at once, the others one by one, because the ranks of each need some bytes per row. */
async function combined(
  kind: 'and' | 'or',
  parts: readonly KeywordQuery[],
  index: Asked,
): Promise<KeywordHits | undefined> {
  const combine = kind === 'and' ? both : either;
  let found = await findKeywords({ kind, parts: parts.filter((part) => !excludes(part)) }, index);
  for (const part of parts.filter(excludes)) {
    const hits = await findKeywords(part, index);
    found = found === undefined || hits === undefined ? (found ?? hits) : combine(found, hits);
  }
  return found;
}

const both = (a: KeywordHits, b: KeywordHits): KeywordHits =>
  ranked(a.rows.and(b.rows), (row) => a.ranks[row]! + b.ranks[row]!);

const either = (a: KeywordHits, b: KeywordHits): KeywordHits =>
  ranked(a.rows.or(b.rows), (row) => scoreOf(a, row) + scoreOf(b, row));

const scoreOf = ({ rows, ranks }: KeywordHits, row: number): number => (rows.has(row) ? ranks[row]! : 0);

const without = ({ rows, ranks }: KeywordHits, { rows: unwanted }: KeywordHits): KeywordHits =>
  ranked(rows.without(unwanted), (row) => ranks[row]!);

function ranked(rows: OrdinalSet, rankOf: (row: number) => number): KeywordHits {
  const ranks = new Float32Array(rows.rows).fill(Infinity);
  for (const row of rows.toArray()) ranks[row] = rankOf(row);
  return { rows, ranks };
}
