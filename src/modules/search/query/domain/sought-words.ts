import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';
import { foldText, STOP_WORDS, stemOf, wordsOf } from '../../../../common/engine/models/text-words';
import type { Filter } from './filter';

/** The stems of consecutive words; null is a stop word, in whose place any word may be. */
type Phrase = readonly (string | null)[];

/** A phrase by its first word that is not a stop word. */
interface Sought {
  readonly phrase: Phrase;
  readonly first: number;
}

/** The queries whose words may make a row match, without those that only exclude rows. */
export const keywordsIn = (filters: readonly Filter[]): KeywordQuery[] =>
  filters.flatMap((filter) => {
    if (filter.kind === 'keywords') return [filter.query];
    return filter.kind === 'and' || filter.kind === 'or' ? keywordsIn(filter.filters) : [];
  });

/** The words and phrases of a query by keywords, without the excluded ones. */
export class SoughtWords {
  private readonly byStem = new Map<string, Sought[]>();
  private readonly initials = new Set<string>();

  constructor(query: KeywordQuery) {
    for (const phrase of phrasesOf(query)) {
      const first = phrase.findIndex((stem) => stem !== null);
      if (first < 0) continue;
      const stem = phrase[first]!;
      this.byStem.set(stem, [...(this.byStem.get(stem) ?? []), { phrase, first }]);
      this.initials.add(stem.charAt(0));
    }
  }

  /** Whether a word or phrase is in the texts, which follow each other. */
  areIn(texts: readonly string[]): boolean {
    const words = wordsOf(foldText(texts.join('\n')));
    // A stem has the initial of its word.
    return words.some((word, at) => {
      if (!this.initials.has(word.charAt(0))) return false;
      return this.byStem.get(stemOf(word))?.some((sought) => isAt(sought, words, at)) === true;
    });
  }
}

const isAt = ({ phrase, first }: Sought, words: readonly string[], at: number): boolean =>
  phrase.every((stem, nth) => {
    const word = words[at - first + nth];
    return word !== undefined && (stem === null || stemOf(word) === stem);
  });

function phrasesOf(query: KeywordQuery): Phrase[] {
  switch (query.kind) {
    case 'word':
      return stemsOf(query.word).map((stem) => [stem]);
    case 'phrase':
      return [stemsOf(query.words)];
    case 'and':
    case 'or':
      return query.parts.flatMap(phrasesOf);
    case 'not':
      return [];
  }
}

const stemsOf = (text: string): Phrase =>
  wordsOf(foldText(text)).map((word) => (STOP_WORDS.has(word) ? null : stemOf(word)));
