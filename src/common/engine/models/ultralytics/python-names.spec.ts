import { pythonNames } from './file-metadata';

describe('a dictionary of names as printed by Python', () => {
  it.each([
    [`{0: 'person'}`, ['person']],
    [`{0: 'person', 1: "driver's cab", 2: 'blue "stripe"'}`, ['person', "driver's cab", 'blue "stripe"']],
    [`{0: 'it\\'s a "\\\\"'}`, [`it's a "\\"`]],
    [`{0: 'line\\nnext\\t', 1: 'caf\\xe9 \\u4e2d \\U0001f600', 2: 'été'}`, ['line\nnext\t', 'café 中 😀', 'été']],
  ])('%s', (text, names) => {
    expect(pythonNames(text)).toEqual(names);
  });

  it.each([
    '',
    '{}',
    '{',
    `{0: 'a'`,
    `{0: 'a'}x`,
    `{1: 'a'}`,
    `{0: 'a', 2: 'b'}`,
    `{0: 'a', 1: 'b',}`,
    `{0: a}`,
    `{0: ''}`,
    `{0: ' '}`,
    `{0: 'a}`,
    `{0: 'a\\'}`,
    `{0: '\\q'}`,
    `{0: '\\xg0'}`,
    `{0: '\\x'}`,
    `{0: '\\U00110000'}`,
    `{0: '\\ud83d'}`,
    `{0: '${'a'.repeat(201)}'}`,
    `['a']`,
    `{0: __import__('os')}`,
    `{"0": "a"}`,
  ])('is not %p', (text) => {
    expect(pythonNames(text)).toBeUndefined();
  });

  it('is parsed in linear time, with a limit', () => {
    const dictionary = (count: number): string =>
      `{${Array.from({ length: count }, (_, at) => `${at}: 'a'`).join(', ')}}`;
    expect(pythonNames(dictionary(10_000))).toHaveLength(10_000);
    expect(pythonNames(dictionary(10_001))).toBeUndefined();
    expect(pythonNames(`{0: '${'\\'.repeat(1_000_000)}`)).toBeUndefined();
  });
});
