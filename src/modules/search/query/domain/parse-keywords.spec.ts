import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';
import { MAX_KEYWORD_DEPTH, MAX_KEYWORDS, parseKeywords } from './parse-keywords';

const word = (text: string): KeywordQuery => ({ kind: 'word', word: text });
const phrase = (words: string): KeywordQuery => ({ kind: 'phrase', words });
const and = (...parts: KeywordQuery[]): KeywordQuery => ({ kind: 'and', parts });
const or = (...parts: KeywordQuery[]): KeywordQuery => ({ kind: 'or', parts });
const not = (part: KeywordQuery): KeywordQuery => ({ kind: 'not', part });

const [cat, dog, fox] = [word('cat'), word('dog'), word('fox')];

describe('parseKeywords', () => {
  it.each<[string, KeywordQuery]>([
    ['cat', cat],
    ['  cat  ', cat],
    ['cat dog', and(cat, dog)],
    ['cat AND dog', and(cat, dog)],
    ['cat and dog', and(cat, dog)],
    ['cat + dog', and(cat, dog)],
    ['+cat +dog', and(cat, dog)],
    ['cat OR dog', or(cat, dog)],
    ['cat or dog', or(cat, dog)],
    ['cat dog OR fox', or(and(cat, dog), fox)],
    ['cat OR dog AND fox', or(cat, and(dog, fox))],
    ['cat (dog OR fox)', and(cat, or(dog, fox))],
    ['cat (dog fox)', and(cat, dog, fox)],
    ['cat OR (dog OR fox)', or(cat, dog, fox)],
    ['cat -dog', and(cat, not(dog))],
    ['-dog cat', and(not(dog), cat)],
    ['cat -"red car"', and(cat, not(phrase('red car')))],
    ['cat -(dog OR fox)', and(cat, not(or(dog, fox)))],
    ['cat -(dog fox)', and(cat, not(and(dog, fox)))],
    ['"red car"', phrase('red car')],
    ['" red car "', phrase('red car')],
  ])('reads %s', (text, query) => expect(parseKeywords(text)).toEqual(query));

  it.each<[string, KeywordQuery]>([
    ['"red car', phrase('red car')],
    ['cat (dog OR fox', and(cat, or(dog, fox))],
    ['cat) OR dog', or(cat, dog)],
    ['((cat', cat],
    ['cat () dog', and(cat, dog)],
    ['cat OR', cat],
    ['OR cat', cat],
    ['AND cat AND', cat],
    ['cat AND OR dog', or(cat, dog)],
    ['cat - dog', and(cat, dog)],
    ['cat & dog', and(cat, dog)],
    ['cat "" dog', and(cat, dog)],
    ['-"!!" cat', cat],
    ['cat -', cat],
    ['cat --dog', and(cat, not(dog))],
    ['(cat -)', cat],
  ])('is lenient with %s', (text, query) => expect(parseKeywords(text)).toEqual(query));

  it.each<[string, KeywordQuery]>([
    ['-(-cat)', cat],
    ['cat -(-dog)', and(cat, dog)],
    ['cat (-dog -fox)', and(cat, not(dog), not(fox))],
    ['cat -(-dog -fox)', and(cat, or(dog, fox))],
  ])('resolves the exclusions of %s', (text, query) => expect(parseKeywords(text)).toEqual(query));

  it.each(['well-lit', 'c++', "cat's", 'a.b,c', '50%', '\\d', "'OR", '‏קיץ', 'été', '夏の猫', 'Or', 'a+b'])(
    'keeps %s as one word',
    (text) => expect(parseKeywords(text)).toEqual(word(text)),
  );

  it.each([
    ['', /at least one word/],
    ['   ', /at least one word/],
    ['()', /at least one word/],
    ['"', /at least one word/],
    ['!!! & -', /at least one word/],
    ['OR', /at least one word/],
    ['-cat', /only words to exclude/],
    ['-cat -dog', /only words to exclude/],
    ['-cat OR -dog', /only words to exclude/],
    ['cat OR -dog', /Each side of OR/],
    ['fox (cat OR -dog)', /Each side of OR/],
    ['fox -(cat OR -dog)', /Each side of OR/],
    ['('.repeat(MAX_KEYWORD_DEPTH + 1) + 'cat', /at most 20 deep/],
    ['('.repeat(1_000_000), /at most 20 deep/],
    ['-('.repeat(1_000_000), /at most 20 deep/],
    ['cat '.repeat(MAX_KEYWORDS + 1), /at most 100 words/],
    [`"${'cat '.repeat(MAX_KEYWORDS + 1)}"`, /at most 100 words/],
  ])('refuses %.20s', (text, message) =>
    expect(parseKeywords(text)).toEqual({ kind: 'error', message: expect.stringMatching(message) as string }),
  );

  it('accepts up to the maximum of words and parentheses', () => {
    expect(parseKeywords('cat '.repeat(MAX_KEYWORDS))).toMatchObject({ kind: 'and' });
    expect(parseKeywords('('.repeat(MAX_KEYWORD_DEPTH) + 'cat')).toEqual(cat);
  });
});
