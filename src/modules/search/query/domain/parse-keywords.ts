import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';

export interface KeywordSyntaxError {
  readonly kind: 'error';
  readonly message: string;
}

export const MAX_KEYWORDS = 100;
export const MAX_KEYWORD_DEPTH = 20;

const failed = (message: string): KeywordSyntaxError => ({ kind: 'error', message });

export const keywordGrammar =
  'space, `AND` or `+`: both; `OR`: either, binding less; `-word`: not; `"several words"`: a phrase; parentheses group';

/**
 * Parses the text of a search box; unclosed quotes and parentheses are closed at the end. Every part of the result requires a match: a `not` occurs
 * only in an `and` with a part that is not a `not`.
 */
export function parseKeywords(text: string): KeywordQuery | KeywordSyntaxError {
  const parser = new KeywordParser(text);
  const query = parser.parse();
  if (parser.tooDeep) return failed(`Parentheses should nest at most ${MAX_KEYWORD_DEPTH} deep`);
  if (parser.words > MAX_KEYWORDS) return failed(`Input should have at most ${MAX_KEYWORDS} words`);
  if (query === undefined) return failed('Input should have at least one word to search for');
  if (!matchesSomething(query)) return failed('Input should have a word to search for, not only words to exclude');
  if (!everyAlternativeMatches(query))
    return failed('Each side of OR should have a word to search for, not only words to exclude');
  return query;
}

const matchesSomething = (query: KeywordQuery): boolean =>
  query.kind === 'and' || query.kind === 'or' ? query.parts.some(matchesSomething) : query.kind !== 'not';

function everyAlternativeMatches(query: KeywordQuery): boolean {
  if (query.kind === 'not') return everyAlternativeMatches(query.part);
  if (query.kind === 'and') return query.parts.every(everyAlternativeMatches);
  if (query.kind === 'or') return query.parts.every((part) => matchesSomething(part) && everyAlternativeMatches(part));
  return true;
}

/** The result is flat: an `and` contains no `and`, an `or` no `or`, and neither has a single part. */
function join(kind: 'and' | 'or', parts: readonly KeywordQuery[]): KeywordQuery | undefined {
  if (parts.length < 2) return parts[0];
  return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
}

function negate(query: KeywordQuery): KeywordQuery {
  if (query.kind === 'not') return query.part;
  if (query.kind === 'and' && !matchesSomething(query)) return join('or', query.parts.map(negate))!;
  return { kind: 'not', part: query };
}

type Token =
  | { readonly kind: 'and' | 'or' | 'not' | 'open' | 'close' | 'nothing' }
  | { readonly kind: 'word' | 'phrase'; readonly text: string };

/** A phrase up to its quote or the end, a parenthesis, signs before a term, or a word with inner punctuation. */
const TOKENS = /"([^"]*)"?|([()])|([+-]+)|([^\s"()]+)/g;

/** For terms without an indexable word: matches nothing and excludes nothing. */
const HAS_WORD = /[\p{L}\p{N}]/u;
const NOTHING: Token = { kind: 'nothing' };

const OPERATORS: ReadonlyMap<string, Token> = new Map([
  ['AND', { kind: 'and' }],
  ['and', { kind: 'and' }],
  ['OR', { kind: 'or' }],
  ['or', { kind: 'or' }],
]);

function* tokensOf(text: string): Generator<Token> {
  let open = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [, phrase, parenthesis, signs, word] = match;
    if (phrase !== undefined) {
      yield HAS_WORD.test(phrase) ? { kind: 'phrase', text: phrase.trim() } : NOTHING;
    } else if (word !== undefined) {
      yield HAS_WORD.test(word) ? (OPERATORS.get(word) ?? { kind: 'word', text: word }) : NOTHING;
    } else if (parenthesis === '(') {
      open++;
      yield { kind: 'open' };
    } else if (parenthesis === ')') {
      if (open > 0) yield { kind: 'close' };
      open = Math.max(0, open - 1);
    } else if (signs?.includes('-') === true && /\S/.test(text.charAt(match.index + signs.length))) {
      yield { kind: 'not' };
    }
  }
}

class KeywordParser {
  tooDeep = false;
  words = 0;
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.tokens = [...tokensOf(text)];
  }

  parse(): KeywordQuery | undefined {
    return this.either();
  }

  /** Stops before a closing parenthesis. */
  private either(): KeywordQuery | undefined {
    const sides: KeywordQuery[] = [];
    do {
      const side = this.both();
      if (side !== undefined) sides.push(side);
    } while (this.take('or'));
    return join('or', sides);
  }

  private both(): KeywordQuery | undefined {
    const parts: KeywordQuery[] = [];
    while (this.at < this.tokens.length && !this.tooDeep && !this.stands('or') && !this.stands('close')) {
      if (this.take('and')) continue;
      const part = this.term();
      if (part !== undefined) parts.push(part);
    }
    return join('and', parts);
  }

  private term(): KeywordQuery | undefined {
    let excluded = false;
    while (this.take('not')) excluded = true;
    if (this.stands('and') || this.stands('or') || this.stands('close')) return undefined;
    const found = this.one();
    return found !== undefined && excluded ? negate(found) : found;
  }

  private one(): KeywordQuery | undefined {
    const token = this.tokens[this.at++];
    if (token === undefined) return undefined;
    if (token.kind === 'open') return this.group();
    if (token.kind === 'phrase') {
      this.words += token.text.split(/\s+/).length;
      return { kind: 'phrase', words: token.text };
    }
    if (token.kind !== 'word') return undefined;
    this.words++;
    return { kind: 'word', word: token.text };
  }

  private group(): KeywordQuery | undefined {
    if (++this.depth > MAX_KEYWORD_DEPTH) {
      this.tooDeep = true;
      return undefined;
    }
    const query = this.either();
    this.take('close');
    this.depth--;
    return query;
  }

  private stands(kind: Token['kind']): boolean {
    return this.tokens[this.at]?.kind === kind;
  }

  private take(kind: Token['kind']): boolean {
    if (!this.stands(kind)) return false;
    this.at++;
    return true;
  }
}
