import { hasWord, soughtWords } from './sought-words';

const fts = (value: string) => ({ text: { op: 'fts' as const, value } });

describe('the words of a search by keywords', () => {
  it('are those of all filters, without excluded ones', () => {
    const filters = [
      fts('Red OR "two boats" -sail -"blue sea" x-ray'),
      { labels: { op: 'one_of' as const, value: ['a'] } },
    ];
    expect(soughtWords(filters)).toEqual(['red', 'two', 'boats', 'x', 'ray']);
    expect(soughtWords([])).toEqual([]);
  });

  it('are found in a line, also in another form', () => {
    expect(hasWord('The BOAT, at 10', ['boats'])).toBe(true);
    expect(hasWord('Boathouse', ['boat'])).toBe(true);
    expect(hasWord('10', ['10'])).toBe(true);
    expect(hasWord('1024', ['10'])).toBe(false);
    expect(hasWord('sea', ['boat', 'sky'])).toBe(false);
    expect(hasWord('sea', [])).toBe(false);
  });
});
