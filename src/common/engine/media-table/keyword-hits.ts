import type { FullTextQuery } from '@lancedb/lancedb';
import { toFullTextQuery } from './caption-index';
import type { KeywordQuery } from './keyword-query';
import { OrdinalSet } from './ordinal-set';

export interface KeywordHits {
  readonly rows: OrdinalSet;
  /** By ordinal, the lower the better: minus BM25, Infinity where nothing was found. */
  readonly ranks: Float32Array;
}

type Ask = (query: FullTextQuery) => Promise<KeywordHits>;

/**
 * Undefined when there is nothing to look for. Lance forgets an exclusion inside of another group for the rows that were appended since
 * the index was made, when it leaves none of them: such groups are asked for one by one and put together here.
 */
export async function findKeywords(query: KeywordQuery, ask: Ask): Promise<KeywordHits | undefined> {
  if (isSafeForLance(query)) {
    const fullText = toFullTextQuery(query);
    return fullText === undefined ? undefined : ask(fullText);
  }
  if (query.kind === 'or') return either(await eachOf('or', query.parts, ask));
  if (query.kind !== 'and') return undefined;
  const wanted = both(
    await eachOf(
      'and',
      query.parts.filter(({ kind }) => kind !== 'not'),
      ask,
    ),
  );
  const excluded = query.parts.flatMap((part) => (part.kind === 'not' ? [part.part] : []));
  const unwanted = wanted && either(await eachOf('or', excluded, ask));
  return unwanted === undefined ? wanted : without(wanted!, unwanted);
}

function isSafeForLance(query: KeywordQuery): boolean {
  if (query.kind !== 'and') return !excludes(query);
  return query.parts.every((part) => !excludes(part.kind === 'not' ? part.part : part));
}

function excludes(query: KeywordQuery): boolean {
  if (query.kind === 'and' || query.kind === 'or') return query.parts.some(excludes);
  return query.kind === 'not';
}

/** What needs no care is asked at once. */
async function eachOf(kind: 'and' | 'or', parts: readonly KeywordQuery[], ask: Ask): Promise<KeywordHits[]> {
  const together = { kind, parts: parts.filter((part) => !excludes(part)) };
  const found: KeywordHits[] = [];
  for (const part of [together, ...parts.filter(excludes)]) {
    const hits = await findKeywords(part, ask);
    if (hits !== undefined) found.push(hits);
  }
  return found;
}

function both(found: readonly KeywordHits[]): KeywordHits | undefined {
  if (found.length < 2) return found[0];
  const rows = found.map((hits) => hits.rows).reduce((all, each) => all.and(each));
  return ranked(rows, (row) => found.reduce((sum, { ranks }) => sum + ranks[row]!, 0));
}

function either(found: readonly KeywordHits[]): KeywordHits | undefined {
  if (found.length < 2) return found[0];
  const rows = found.map((hits) => hits.rows).reduce((all, each) => all.or(each));
  return ranked(rows, (row) => found.reduce((sum, hits) => (hits.rows.has(row) ? sum + hits.ranks[row]! : sum), 0));
}

const without = ({ rows, ranks }: KeywordHits, { rows: unwanted }: KeywordHits): KeywordHits =>
  ranked(rows.without(unwanted), (row) => ranks[row]!);

function ranked(rows: OrdinalSet, rankOf: (row: number) => number): KeywordHits {
  const ranks = new Float32Array(rows.rows).fill(Infinity);
  for (const row of rows.toArray()) ranks[row] = rankOf(row);
  return { rows, ranks };
}
