import { BooleanQuery, type FullTextQuery, Index, MatchQuery, Occur, Operator, PhraseQuery } from '@lancedb/lancedb';
import { STOP_WORDS } from '../models/text-stop-words';
import { foldText } from '../models/text-words';
import type { KeywordQuery } from './keyword-query';

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

  /** All words in one match query, which takes two thirds of the time of a boolean query. */
  private match(words: readonly string[]): FullTextQuery | undefined {
    // The index has no stop words, so a query for one finds nothing.
    const tokens = [...new Set(words.flatMap(tokensOf).filter(isSearchable))].slice(0, MAX_TOKENS);
    if (tokens.length === 0) return undefined;
    return new MatchQuery(tokens.join(' '), this.column, { operator: Operator.And });
  }

  /** Stop words stay in a phrase, where they stand for any one word. */
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
