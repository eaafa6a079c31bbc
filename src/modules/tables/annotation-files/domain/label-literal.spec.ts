import fc from 'fast-check';
import { parseLabels } from './file-fields';

describe('a label cell', () => {
  it.each([
    ['cat', ['cat']],
    ['  cat ', ['cat']],
    ['', []],
    ['["a","b"]', ['a', 'b']],
    ["['a', 'b']", ['a', 'b']],
    [' [ "a" , \'b\' , ] ', ['a', 'b']],
    ['["a"]', ['a']],
    ['[]', []],
    ['[ ]', []],
    ['["a","a"," a "]', ['a']],
    ['["a, b","c"]', ['a, b', 'c']],
    ["['it\\'s', \"O'Hara\"]", ["it's", "O'Hara"]],
    ['["\\u00e9t\\u00e9","a\\\\b"]', ['été', 'a\\b']],
    ['[1, 2.5]', ['1', '2.5']],
    ['[misc]', ['[misc]']],
    ['["a" "b"]', ['["a" "b"]']],
    ['["a",,"b"]', ['["a",,"b"]']],
    ['["a"', ['["a"']],
    ['a,b', ['a,b']],
    ['魚', ['魚']],
  ])('%j contains %j', (cell, labels) => {
    expect(parseLabels(cell)).toEqual(labels);
  });

  it('can be a list, a number, or empty', () => {
    expect(parseLabels(['a', null, ' b ', 3n])).toEqual(['a', 'b', '3']);
    expect(parseLabels(7)).toEqual(['7']);
    expect(parseLabels(null)).toEqual([]);
    expect(parseLabels({ a: 1 })).toEqual([]);
  });

  it('parses every list of texts written as JSON', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text === text.trim())),
        (labels) => {
          expect(parseLabels(JSON.stringify(labels))).toEqual(labels);
        },
      ),
    );
  });

  it('is parsed in linear time', () => {
    for (const cell of [
      '"a\\"'.repeat(50_000),
      "'a',".repeat(50_000) + 'x',
      '['.repeat(50_000),
      ' '.repeat(50_000) + 'x',
    ]) {
      expect(parseLabels(`[${cell}]`)).toHaveLength(1);
    }
  });
});
