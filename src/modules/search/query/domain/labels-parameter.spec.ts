import fc from 'fast-check';
import { parseLabels } from './make-search-query';

describe('parseLabels', () => {
  it.each([
    ['[dog,cat]', ['dog', 'cat']],
    ['[ dog , traffic light ]', ['dog', 'traffic light']],
    ['["dog","cat"]', ['dog', 'cat']],
    ['["a,b","c]d"]', ['a,b', 'c]d']],
    ['[dog,dog]', ['dog']],
    ['[1,2]', ['1', '2']],
    ['[]', []],
    ["[' OR 1=1 --]", ["' OR 1=1 --"]],
  ])('reads %s', (text, labels) => expect(parseLabels(text)).toEqual(labels));

  it.each(['', 'dog', 'dog,cat', '[', '[dog', '{"a":1}', '["a",1]'])('refuses %j', (text) =>
    expect(parseLabels(text)).toBeUndefined(),
  );

  it('parses every JSON list of texts as JSON', () => {
    const labels = fc.uniqueArray(fc.string({ unit: 'grapheme' }));
    fc.assert(fc.property(labels, (list) => expect(parseLabels(JSON.stringify(list))).toEqual(list)));
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseLabels(`[${text}]`)));
  });
});
