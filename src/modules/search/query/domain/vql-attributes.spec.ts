import { parseVql } from './parse-vql';

const objectsWith = (attributes: unknown): unknown => [{ objects: { op: 'is', value: ['x'], attributes } }];
const ofLabels: unknown = [{ labels: { op: 'is', value: ['x'], attributes: { a: 1 } } }];

describe('attributes in VQL', () => {
  it.each<[string, unknown, (string | number)[], string, RegExp]>([
    ['none', {}, [], 'too_small', /at least one attribute/],
    ['a list', ['a'], [], 'invalid_type', /object with attributes/],
    ['many', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}`, 1])), [], 'too_big', /at most 20/],
    ['a name that schemas drop', JSON.parse('{"__proto__":true}'), [], 'invalid_value', /__proto__/],
    ['an object', { a: { b: {} } }, ['a'], 'invalid_type', /a string, a number, true or false/],
    ['null', { a: null }, ['a'], 'invalid_type', /a string, a number, true or false/],
    ['an empty text', { a: ' ' }, ['a'], 'too_small', /not be empty/],
    ['no values', { a: [] }, ['a'], 'too_small', /at least one/],
    ['many values', { a: Array(1_001).fill('x') }, ['a'], 'too_big', /at most 1000/],
    ['a list in a list', { a: ['b', ['c']] }, ['a', 1], 'invalid_type', /a string/],
    ['three bounds', { a: [1, 2, 3] }, ['a'], 'invalid_type', /list of two numbers/],
    ['bounds of two types', { a: [1, 'b'] }, ['a', 1], 'invalid_type', /a number/],
    ['bounds in the wrong order', { a: [2, 1] }, ['a'], 'invalid_value', /at most the second/],
    [
      'a deep list',
      { a: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown },
      ['a', 0],
      'invalid_type',
      /./,
    ],
  ])('are refused with the place of %s', (_name, attributes, path, type, message) => {
    const result = parseVql(objectsWith(attributes));
    expect(result.ok ? [] : result.issues).toMatchObject([
      { path: [0, 'objects', 'attributes', ...path], type, message: expect.stringMatching(message) as string },
    ]);
  });

  it('need a source in a filter of labels, and are those of people in one of objects', () => {
    expect(parseVql(ofLabels)).toMatchObject({
      ok: false,
      issues: [{ path: [0, 'labels', 'source'], type: 'missing' }],
    });
    expect(parseVql(objectsWith({ a: 1 }))).toMatchObject({
      filters: [{ kind: 'labels', of: { source: 'ground_truth', marked: true, attributes: { a: 1 } } }],
    });
  });
});
