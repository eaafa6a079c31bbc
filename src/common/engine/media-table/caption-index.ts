import { BooleanQuery, type FullTextQuery, Index, MatchQuery, Occur, Operator, PhraseQuery } from '@lancedb/lancedb';
import { STOP_WORDS } from '../models/text-stop-words';
import { foldText } from '../models/text-words';
import type { KeywordQuery } from './keyword-query';

const CAPTION = 'caption';

/** Longer terms are truncated: each word costs an index lookup. */
const MAX_CHARACTERS = 10_000;
const MAX_TOKENS = 128;
const MAX_PHRASE_TOKENS = 32;

const TOKEN = /[\p{L}\p{M}\p{N}]+/gu;

/** The ICU tokenizer also splits scripts without spaces, but without a list of our own it drops the stop words of all languages. */
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
export function toFullTextQuery(query: KeywordQuery): FullTextQuery | undefined {
  switch (query.kind) {
    case 'word':
      return toMatch([query.word]);
    case 'phrase':
      return toPhrase(query.words);
    case 'and':
      return toConjunction(query.parts);
    case 'or':
      return combine(Occur.Should, translated(query.parts));
    case 'not':
      return undefined;
  }
}

const tokensOf = (text: string): string[] => text.slice(0, MAX_CHARACTERS).match(TOKEN) ?? [];

const isSearchable = (token: string): boolean => !STOP_WORDS.has(foldText(token));

/** All words in one match query, which takes two thirds of the time of a boolean query. */
function toMatch(words: readonly string[]): FullTextQuery | undefined {
  // The index has no stop words, so a query for one finds nothing.
  const tokens = [...new Set(words.flatMap(tokensOf).filter(isSearchable))].slice(0, MAX_TOKENS);
  if (tokens.length === 0) return undefined;
  return new MatchQuery(tokens.join(' '), CAPTION, { operator: Operator.And });
}

/** Stop words stay in a phrase, where they stand for any one word. */
function toPhrase(words: string): FullTextQuery | undefined {
  const tokens = tokensOf(words).slice(0, MAX_PHRASE_TOKENS);
  return tokens.some(isSearchable) ? new PhraseQuery(tokens.join(' '), CAPTION) : undefined;
}

const translated = (parts: readonly KeywordQuery[]): FullTextQuery[] =>
  parts.map(toFullTextQuery).filter((part) => part !== undefined);

function toConjunction(parts: readonly KeywordQuery[]): FullTextQuery | undefined {
  const words = toMatch(parts.flatMap((part) => (part.kind === 'word' ? [part.word] : [])));
  const others = translated(parts.filter(({ kind }) => kind !== 'word' && kind !== 'not'));
  const wanted = combine(Occur.Must, words === undefined ? others : [words, ...others]);
  const unwanted = translated(parts.flatMap((part) => (part.kind === 'not' ? [part.part] : [])));
  if (wanted === undefined || unwanted.length === 0) return wanted;
  return new BooleanQuery([
    [Occur.Must, wanted],
    ...unwanted.map((part): [Occur, FullTextQuery] => [Occur.MustNot, part]),
  ]);
}

function combine(occur: Occur, parts: readonly FullTextQuery[]): FullTextQuery | undefined {
  if (parts.length < 2) return parts[0];
  return new BooleanQuery(parts.map((part): [Occur, FullTextQuery] => [occur, part]));
}
