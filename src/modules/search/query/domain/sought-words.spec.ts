import { parseKeywords } from './parse-keywords';
import { keywordsIn, SoughtWords } from './sought-words';

const sought = (text: string): SoughtWords => {
  const query = parseKeywords(text);
  if (query.kind === 'error') throw new Error(query.message);
  return new SoughtWords(query);
};

describe('the words of a search', () => {
  it.each([
    ['boats', 'A boat at sea'],
    ['running', 'It RUNS'],
    ['café', 'CAFE'],
    ['x-ray', 'Ray of light'],
    ['red OR (car -blue)', 'A car'],
    ['"open all day"', 'We are open all day long'],
    ['"day of rest"', 'The day for rest'],
    ['"open all day"', 'OPEN\nALL DAY'],
    ['東京', '東京の駅'],
  ])('%s are in: %s', (words, text) => {
    expect(sought(words).areIn(text.split('\n'))).toBe(true);
  });

  it.each([
    ['boat', 'A boathouse'],
    ['red -boat', 'A boat'],
    ['"open all day"', 'open day, all'],
    ['"open all day"', 'open all'],
    ['"the open"', 'open'],
    ['the', 'the'],
    ['boat', ''],
  ])('%s are not in: %s', (words, text) => {
    expect(sought(words).areIn([text])).toBe(false);
  });

  it('are those of all filters that rows may match by', () => {
    const keywords = (word: string) => ({ kind: 'keywords', query: { kind: 'word', word } }) as const;
    const filters = [
      keywords('a'),
      { kind: 'or', filters: [keywords('b'), { kind: 'unlabeled' }] },
      { kind: 'not', filter: keywords('c') },
    ] as const;
    expect(keywordsIn(filters)).toEqual([
      { kind: 'word', word: 'a' },
      { kind: 'word', word: 'b' },
    ]);
  });
});
