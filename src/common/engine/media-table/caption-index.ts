import { BooleanQuery, type FullTextQuery, Index, MatchQuery, Occur, Operator, PhraseQuery } from '@lancedb/lancedb';
import { STOP_WORDS, foldText } from '../models/text-words';
import { OrdinalSet } from './ordinal-set';

/** A boolean condition on the words of a caption. */
export type KeywordQuery =
  | { readonly kind: 'word'; readonly word: string }
  /** Consecutive words. */
  | { readonly kind: 'phrase'; readonly words: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly KeywordQuery[] }
  /** Excludes rows from the matches of the other parts of an `and`; in other places it matches nothing. */
  | { readonly kind: 'not'; readonly part: KeywordQuery };

export interface KeywordHits {
  readonly rows: OrdinalSet;
  /** By ordinal, lowest is best: the negated BM25 score, Infinity for rows without a match. */
  readonly ranks: Float32Array;
}

/** An index of captions. */
interface Asked {
  readonly column: string;
  ask(query: FullTextQuery): Promise<KeywordHits>;
}

const scoreOf = ({ rows, ranks }: KeywordHits, row: number): number => (rows.has(row) ? ranks[row]! : 0);

/** Longer terms are truncated, because each word needs an index lookup. */
const MAX_CHARACTERS = 10_000;
const MAX_TOKENS = 128;
const MAX_PHRASE_TOKENS = 32;

const TOKEN = /[\p{L}\p{M}\p{N}]+/gu;

/** The ICU tokenizer also splits scripts without spaces, but without an explicit list it drops the stop words of all languages. */
export const captionIndex = (): Index =>
  Index.fts({
    baseTokenizer: 'icu/split',
    language: 'English',
    stem: true,
    removeStopWords: true,
    customStopWords: [...STOP_WORDS],
    lowercase: true,
    asciiFolding: true,
    withPosition: true,
  });

/** Undefined if there is nothing to search for: stop words match nothing and exclude nothing. */
export const toFullTextQuery = (query: KeywordQuery, column: string): FullTextQuery | undefined =>
  new Translation(column).of(query);

const tokensOf = (text: string): string[] => text.slice(0, MAX_CHARACTERS).match(TOKEN) ?? [];

const isSearchable = (token: string): boolean => !STOP_WORDS.has(foldText(token));

class Translation {
  constructor(private readonly column: string) {}

  of(query: KeywordQuery): FullTextQuery | undefined {
    switch (query.kind) {
      case 'word':
        return this.match([query.word]);
      case 'phrase':
        return this.phrase(query.words);
      case 'and':
        return this.conjunction(query.parts);
      case 'or':
        return combine(Occur.Should, this.all(query.parts));
      case 'not':
        return undefined;
    }
  }

  /** Combines all words in one match query, which is faster than a boolean query. */
  private match(words: readonly string[]): FullTextQuery | undefined {
    // The index has no stop words, so a query for one would match nothing.
    const tokens = [...new Set(words.flatMap(tokensOf).filter(isSearchable))].slice(0, MAX_TOKENS);
    if (tokens.length === 0) return undefined;
    return new MatchQuery(tokens.join(' '), this.column, { operator: Operator.And });
  }

  /** Stop words remain in a phrase, where they match any single word. */
  private phrase(words: string): FullTextQuery | undefined {
    const tokens = tokensOf(words).slice(0, MAX_PHRASE_TOKENS);
    return tokens.some(isSearchable) ? new PhraseQuery(tokens.join(' '), this.column) : undefined;
  }

  private conjunction(parts: readonly KeywordQuery[]): FullTextQuery | undefined {
    const words = this.match(parts.flatMap((part) => (part.kind === 'word' ? [part.word] : [])));
    const others = this.all(parts.filter(({ kind }) => kind !== 'word' && kind !== 'not'));
    const wanted = combine(Occur.Must, words === undefined ? others : [words, ...others]);
    const unwanted = this.all(parts.flatMap((part) => (part.kind === 'not' ? [part.part] : [])));
    if (wanted === undefined || unwanted.length === 0) return wanted;
    return new BooleanQuery([
      [Occur.Must, wanted],
      ...unwanted.map((part): [Occur, FullTextQuery] => [Occur.MustNot, part]),
    ]);
  }

  private all(parts: readonly KeywordQuery[]): FullTextQuery[] {
    return parts.map((part) => this.of(part)).filter((part) => part !== undefined);
  }
}

function combine(occur: Occur, parts: readonly FullTextQuery[]): FullTextQuery | undefined {
  if (parts.length < 2) return parts[0];
  return new BooleanQuery(parts.map((part): [Occur, FullTextQuery] => [occur, part]));
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

function ranked(rows: OrdinalSet, rankOf: (row: number) => number): KeywordHits {
  const ranks = new Float32Array(rows.rows).fill(Infinity);
  for (const row of rows.toArray()) ranks[row] = rankOf(row);
  return { rows, ranks };
}

const both = (a: KeywordHits, b: KeywordHits): KeywordHits =>
  ranked(a.rows.and(b.rows), (row) => a.ranks[row]! + b.ranks[row]!);

const either = (a: KeywordHits, b: KeywordHits): KeywordHits =>
  ranked(a.rows.or(b.rows), (row) => scoreOf(a, row) + scoreOf(b, row));

const without = ({ rows, ranks }: KeywordHits, { rows: unwanted }: KeywordHits): KeywordHits =>
  ranked(rows.without(unwanted), (row) => ranks[row]!);
