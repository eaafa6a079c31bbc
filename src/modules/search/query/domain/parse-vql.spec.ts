import type { Filter } from './filter';
import { MAX_DUPLICATE_SIMILARITIES, MAX_VQL_DEPTH, MAX_VQL_FILTERS, parseVql } from './parse-vql';
import { MAX_LIST_LENGTH, MAX_TEXT_LENGTH } from './vql-values';

const A = '0f0e0d0c-0000-4000-8000-00000000000a';
const B = '0f0e0d0c-0000-4000-8000-00000000000b';

const read = (...filters: unknown[]): readonly Filter[] => {
  const result = parseVql(filters);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.filters;
};

const issuesOf = (value: unknown) => {
  const result = parseVql(value);
  return result.ok ? [] : result.issues.map(({ path, type, message }) => ({ path, type, message }));
};

const FILTERS: readonly [string, object, Filter][] = [
  ['fts', { text: { op: 'fts', value: 'cat' } }, { kind: 'keywords', query: { kind: 'word', word: 'cat' } }],
  [
    'semantic',
    { text: { op: 'semantic', value: ' a cat ' } },
    { kind: 'textSimilarity', by: 'meaning', text: 'a cat' },
  ],
  [
    'semantic with a threshold',
    { text: { op: 'semantic', value: 'a cat', threshold: 0.7 } },
    { kind: 'textSimilarity', by: 'meaning', text: 'a cat', minSimilarity: 0.7 },
  ],
  ...(['is', 'is_not', 'one_of', 'not_one_of'] as const).flatMap((op): [string, object, Filter][] => [
    [`labels ${op}`, { labels: { op, value: ['a', 'b', 'a'] } }, { kind: 'labels', op, values: ['a', 'b'] }],
    [`tags ${op}`, { tags: { op, value: [A.toUpperCase(), B] } }, { kind: 'tags', op, values: [A, B] }],
  ]),
  ['unlabeled', { labels: { op: 'one_of', value: ['unlabeled'] } }, { kind: 'unlabeled' }],
  ['untagged', { tags: { op: 'is', value: ['untagged'] } }, { kind: 'untagged' }],
  [
    'unlabeled or a label',
    { labels: { op: 'one_of', value: ['a', 'unlabeled'] } },
    { kind: 'or', filters: [{ kind: 'labels', op: 'one_of', values: ['a'] }, { kind: 'unlabeled' }] },
  ],
  [
    'neither unlabeled nor a label',
    { labels: { op: 'not_one_of', value: ['a', 'unlabeled'] } },
    {
      kind: 'not',
      filter: { kind: 'or', filters: [{ kind: 'labels', op: 'one_of', values: ['a'] }, { kind: 'unlabeled' }] },
    },
  ],
  ['not untagged', { tags: { op: 'is_not', value: ['untagged'] } }, { kind: 'not', filter: { kind: 'untagged' } }],
  ['issue', { issues: { op: 'issue', value: 'blur' } }, { kind: 'issues', names: ['blur'], threshold: 0.5 }],
  [
    'issues in',
    { issues: { op: 'issue', value: ['blur', 'dark'], mode: 'in', threshold: 0.8 } },
    { kind: 'issues', names: ['blur', 'dark'], threshold: 0.8 },
  ],
  [
    'issues not in',
    { issues: { op: 'issue', value: ['outliers', 'mislabels', 'bright'], mode: 'not_in' } },
    { kind: 'not', filter: { kind: 'issues', names: ['outliers', 'mislabels', 'bright'], threshold: 0.5 } },
  ],
  [
    'class outliers, from the fence of their class on',
    { issues: { op: 'issue', value: ['class_outliers', 'mislabels'] } },
    {
      kind: 'or',
      filters: [
        { kind: 'issues', names: ['mislabels'], threshold: 0.5 },
        { kind: 'issues', names: ['class_outliers'], threshold: 1 },
      ],
    },
  ],
  [
    'duplicates as an issue',
    { issues: { op: 'issue', value: 'duplicates' } },
    { kind: 'issues', names: ['duplicates'], threshold: 1 },
  ],
  [
    'duplicates among issues',
    { issues: { op: 'issue', value: ['duplicates', 'blur'] } },
    {
      kind: 'or',
      filters: [
        { kind: 'issues', names: ['blur'], threshold: 0.5 },
        { kind: 'issues', names: ['duplicates'], threshold: 1 },
      ],
    },
  ],
  ['duplicates', { duplicates: { op: 'duplicates', value: 0.95 } }, { kind: 'duplicates', similarity: 0.95 }],
  ['uniqueness', { uniqueness: { op: 'uniqueness', value: 0 } }, { kind: 'uniqueness', above: 0 }],
  ...(['one_of', 'starts_with', 'ends_with', 'contains'] as const).flatMap((op): [string, object, Filter][] => [
    [`folders ${op}`, { folders: { op, value: ['a/b', 'c'] } }, { kind: 'folders', op, values: ['a/b', 'c'] }],
    [`files ${op}`, { files: { op, value: '50%_' } }, { kind: 'files', op, values: ['50%_'] }],
  ]),
  ['media type', { media_type: { op: 'is', value: 'video_frame' } }, { kind: 'mediaType', kinds: ['FRAME'] }],
  [
    'media types',
    { media_type: { op: 'one_of', value: ['image', 'video', 'object'] } },
    { kind: 'mediaType', kinds: ['IMAGE', 'VIDEO', 'OBJECT'] },
  ],
  ['width eq', { width: { op: 'eq', value: 10 } }, { kind: 'range', field: 'width', min: 10, max: 10 }],
  ['width gt', { width: { op: 'gt', value: 10 } }, { kind: 'range', field: 'width', min: 11 }],
  ['height gte', { height: { op: 'gte', value: 10 } }, { kind: 'range', field: 'height', min: 10 }],
  ['height lt', { height: { op: 'lt', value: 10 } }, { kind: 'range', field: 'height', max: 9 }],
  ['file size lte', { file_size: { op: 'lte', value: 10 } }, { kind: 'range', field: 'size', max: 10 }],
  ['file size', { file_size: { op: 'between', value: [1, 9] } }, { kind: 'range', field: 'size', min: 1, max: 9 }],
  ...(['eq', 'gt', 'lt'] as const).map((op): [string, object, Filter] => [
    `metadata ${op}`,
    { metadata: { op, field: ' score ', value: 0.5 } },
    { kind: 'metadata', field: 'score', op, values: [0.5] },
  ]),
  [
    'metadata between datetimes',
    { metadata: { op: 'between', field: 'taken', value: ['2026-01-31T12:00:00Z', '2026-01-31T14:00:00+01:00'] } },
    { kind: 'metadata', field: 'taken', op: 'between', values: ['2026-01-31T12:00:00Z', '2026-01-31T14:00:00+01:00'] },
  ],
  [
    'metadata of one value or several',
    {
      or: [
        { metadata: { op: 'contains', field: '__proto__', value: 'a' } },
        { metadata: { op: 'one_of', field: 'b', value: ['a', 'b'] } },
      ],
    },
    {
      kind: 'or',
      filters: [
        { kind: 'metadata', field: '__proto__', op: 'contains', values: ['a'] },
        { kind: 'metadata', field: 'b', op: 'one_of', values: ['a', 'b'] },
      ],
    },
  ],
  ['batch', { batch: { op: 'is', value: A } }, { kind: 'batch', values: [A] }],
  ['batches', { batch: { op: 'one_of', value: [A, B] } }, { kind: 'batch', values: [A, B] }],
  [
    'groups',
    {
      or: [
        { and: [{ uniqueness: { op: 'uniqueness', value: 0.5 } }] },
        { not: { not: { duplicates: { op: 'duplicates', value: 1 } } } },
      ],
    },
    {
      kind: 'or',
      filters: [
        { kind: 'and', filters: [{ kind: 'uniqueness', above: 0.5 }] },
        { kind: 'not', filter: { kind: 'not', filter: { kind: 'duplicates', similarity: 1 } } },
      ],
    },
  ],
];

const labels = (value: unknown, op: unknown = 'one_of') => [{ labels: { op, value } }];
const deep = (depth: number, filter: object): object => (depth === 0 ? filter : { not: deep(depth - 1, filter) });
const unique = { uniqueness: { op: 'uniqueness', value: 0.5 } };

const metadata = (op: string, value: unknown, field: unknown = 'f') => [{ metadata: { op, field, value } }];

const MISTAKES: readonly [string, unknown, (string | number)[], string, RegExp][] = [
  ['no list', { labels: {} }, [], 'invalid_type', /list of filters/],
  ['null', null, [], 'invalid_type', /list of filters/],
  ['a filter that is a text', ['labels'], [0], 'invalid_type', /object/],
  ['a filter that is a list', [[]], [0], 'invalid_type', /object/],
  ['an empty filter', [{}], [0], 'invalid_value', /exactly one key/],
  ['two keys', [{ ...unique, labels: { op: 'is', value: ['a'] } }], [0], 'invalid_value', /exactly one key/],
  ['an unknown filter', [unique, { colour: {} }], [1, 'colour'], 'unrecognized_keys', /one of text, labels, .*not$/],
  ['a name of every object', [JSON.parse('{"__proto__":{}}')], [0, '__proto__'], 'unrecognized_keys', /Unknown filter/],
  ['no object inside', [{ labels: ['a'] }], [0, 'labels'], 'invalid_type', /object/],
  ['no field', [{ metadata: { op: 'eq', value: 1 } }], [0, 'metadata', 'field'], 'missing', /required/],
  ['a field that is no text', metadata('eq', 1, {}), [0, 'metadata', 'field'], 'invalid_type', /string/],
  ['a long field', metadata('eq', 1, 'f'.repeat(101)), [0, 'metadata', 'field'], 'too_big', /100 characters/],
  ['a field with NUL', metadata('eq', 1, 'a\0'), [0, 'metadata', 'field'], 'invalid_format', /NUL/],
  [
    'an unknown op of metadata',
    metadata('like', 1),
    [0, 'metadata', 'op'],
    'invalid_value',
    /one of eq, gt, lt, between/,
  ],
  ['a list to equal', metadata('eq', ['a']), [0, 'metadata', 'value'], 'invalid_type', /a number, true or false/],
  ['infinity', metadata('eq', JSON.parse('1e999')), [0, 'metadata', 'value'], 'invalid_type', /finite/],
  ['NUL to equal', metadata('eq', '\0'), [0, 'metadata', 'value'], 'invalid_format', /NUL/],
  ['a text to compare', metadata('gt', 'much'), [0, 'metadata', 'value'], 'invalid_format', /datetime such as/],
  [
    'no such day',
    metadata('gt', '2026-02-30T00:00:00Z'),
    [0, 'metadata', 'value'],
    'invalid_format',
    /datetime such as/,
  ],
  [
    'a datetime without a zone',
    metadata('lt', '2026-02-20T00:00:00'),
    [0, 'metadata', 'value'],
    'invalid_format',
    /such as/,
  ],
  ['one bound', metadata('between', [1]), [0, 'metadata', 'value'], 'invalid_type', /two numbers or two datetimes/],
  [
    'mixed bounds',
    metadata('between', [1, '2026-02-20T00:00:00Z']),
    [0, 'metadata', 'value'],
    'invalid_type',
    /two numbers or/,
  ],
  [
    'bounds in the wrong order',
    metadata('between', [2, 1]),
    [0, 'metadata', 'value'],
    'invalid_value',
    /at most the second/,
  ],
  ['a number to contain', metadata('contains', 1), [0, 'metadata', 'value'], 'invalid_type', /string/],
  ['no op', [{ labels: { value: ['a'] } }], [0, 'labels', 'op'], 'missing', /required/],
  ['an op that is no text', labels(['a'], 1), [0, 'labels', 'op'], 'invalid_type', /string/],
  ['an unknown op', labels(['a'], 'any'), [0, 'labels', 'op'], 'invalid_value', /is, is_not, one_of, not_one_of/],
  ['an op of every object', labels(['a'], 'toString'), [0, 'labels', 'op'], 'invalid_value', /one of/],
  ['no value', [{ labels: { op: 'is' } }], [0, 'labels', 'value'], 'missing', /required/],
  [
    'an unknown key',
    [{ labels: { op: 'is', value: ['a'], mode: 'in' } }],
    [0, 'labels', 'mode'],
    'unrecognized_keys',
    /op, value, with_narrower, source, confidence, area, count, iscrowd, attributes$/,
  ],
  ['no list of labels', labels('a'), [0, 'labels', 'value'], 'invalid_type', /list/],
  ['an empty list', labels([]), [0, 'labels', 'value'], 'too_small', /at least one/],
  [
    'a long list',
    labels(Array(MAX_LIST_LENGTH + 1).fill('a')),
    [0, 'labels', 'value'],
    'too_big',
    /at most 1000 values/,
  ],
  ['a number in a list', labels(['a', 1]), [0, 'labels', 'value', 1], 'invalid_type', /string/],
  ['an empty text', labels(['']), [0, 'labels', 'value', 0], 'too_small', /not be empty/],
  ['a blank text', labels([' \t']), [0, 'labels', 'value', 0], 'too_small', /not be empty/],
  ['a long text', labels(['a'.repeat(1_000_000)]), [0, 'labels', 'value', 0], 'too_big', /at most 10000 characters/],
  ['NUL', labels(['a\0b']), [0, 'labels', 'value', 0], 'invalid_format', /NUL/],
  ['half a pair', labels(['\ud83d']), [0, 'labels', 'value', 0], 'invalid_format', /surrogate/],
  ['a tag that is no id', [{ tags: { op: 'is', value: [A, 'x'] } }], [0, 'tags', 'value', 1], 'invalid_format', /UUID/],
  [
    'an unknown issue',
    [{ issues: { op: 'issue', value: 'noise' } }],
    [0, 'issues', 'value'],
    'invalid_value',
    /blur, dark, bright, outliers, mislabels, class_outliers, duplicates/,
  ],
  [
    'an unknown mode',
    [unique, unique, { issues: { op: 'issue', value: 'blur', mode: 'out' } }],
    [2, 'issues', 'mode'],
    'invalid_value',
    /in, not_in/,
  ],
  [
    'a threshold out of range',
    [{ issues: { op: 'issue', value: 'blur', threshold: 1.01 } }],
    [0, 'issues', 'threshold'],
    'too_big',
    /at most 1/,
  ],
  [
    'a threshold that is a text',
    [{ text: { op: 'semantic', value: 'a', threshold: '0.5' } }],
    [0, 'text', 'threshold'],
    'invalid_type',
    /number/,
  ],
  [
    'a threshold of full text',
    [{ text: { op: 'fts', value: 'a', threshold: 0.5 } }],
    [0, 'text', 'threshold'],
    'unrecognized_keys',
    /Unknown key/,
  ],
  ['only exclusions', [{ text: { op: 'fts', value: '-a' } }], [0, 'text', 'value'], 'invalid_format', /exclude/],
  [
    'a negative similarity',
    [{ duplicates: { op: 'duplicates', value: -0.1 } }],
    [0, 'duplicates', 'value'],
    'too_small',
    /at least 0/,
  ],
  [
    'a similarity below those that are kept',
    [{ duplicates: { op: 'duplicates', value: 0.79 } }],
    [0, 'duplicates', 'value'],
    'too_small',
    /from 0.8 to 1/,
  ],
  [
    'the same as a threshold of the issue',
    [unique, { or: [{ issues: { op: 'issue', value: ['blur', 'duplicates'], threshold: 0.5 } }] }],
    [1, 'or', 0, 'issues', 'threshold'],
    'too_small',
    /from 0.8 to 1/,
  ],
  [
    'a uniqueness beyond range',
    [{ uniqueness: { op: 'uniqueness', value: 1e308 } }],
    [0, 'uniqueness', 'value'],
    'too_big',
    /at most 1/,
  ],
  ['an empty folder', [{ folders: { op: 'contains', value: '' } }], [0, 'folders', 'value'], 'too_small', /empty/],
  ['half a pixel', [{ width: { op: 'gt', value: 0.5 } }], [0, 'width', 'value'], 'invalid_type', /whole number/],
  ['a negative size', [{ file_size: { op: 'lt', value: -1 } }], [0, 'file_size', 'value'], 'too_small', /at least 0/],
  ['one bound', [{ width: { op: 'between', value: [1] } }], [0, 'width', 'value'], 'invalid_type', /two/],
  ['a wrong bound', [{ width: { op: 'between', value: [1, 'x'] } }], [0, 'width', 'value', 1], 'invalid_type', /whole/],
  ['crossed bounds', [{ width: { op: 'between', value: [2, 1] } }], [0, 'width', 'value'], 'invalid_value', /at most/],
  ['a kind', [{ media_type: { op: 'is', value: ['IMAGE'] } }], [0, 'media_type', 'value', 0], 'invalid_value', /image/],
  ['a batch', [{ batch: { op: 'is', value: 'x' } }], [0, 'batch', 'value'], 'invalid_format', /UUID/],
  ['an empty group', [{ or: [] }], [0, 'or'], 'too_small', /at least one filter/],
  ['a group that is an object', [{ or: unique }], [0, 'or'], 'invalid_type', /list/],
  ['not of a list', [{ not: [unique] }], [0, 'not'], 'invalid_type', /object/],
  [
    'a mistake inside of groups',
    [{ or: [unique, { not: { and: [unique, { labels: { op: 'is', value: [''] } }] } }] }],
    [0, 'or', 1, 'not', 'and', 1, 'labels', 'value', 0],
    'too_small',
    /empty/,
  ],
  [
    'deep groups',
    [deep(MAX_VQL_DEPTH + 1, unique)],
    [0, ...Array<string>(MAX_VQL_DEPTH + 1).fill('not')],
    'too_big',
    /at most 8 deep/,
  ],
  ['many filters', Array(MAX_VQL_FILTERS + 1).fill(unique), [], 'too_big', /at most 100 filters/],
  ['many in groups', [{ or: Array(50).fill({ not: unique }) }], [], 'too_big', /at most 100 filters/],
];

describe('parseVql', () => {
  it.each(FILTERS)('parses %s', (_name, vql, filter) => expect(read(vql)).toEqual([filter]));

  it('parses all filters together', () =>
    expect(read(...FILTERS.map(([, vql]) => vql))).toEqual(FILTERS.map(([, , filter]) => filter)));

  it('parses an empty list', () => expect(read()).toEqual([]));

  it.each(["' OR 1=1 --", '"', '50%', '\\', '`x`', '‮gnp', "O''Brien", '💥', '${x}'])('keeps the label %s', (label) =>
    expect(read({ labels: { op: 'one_of', value: [label] } })).toEqual([
      { kind: 'labels', op: 'one_of', values: [label] },
    ]),
  );

  it.each(MISTAKES)('reports the position of %s', (_name, value, path, type, message) =>
    expect(issuesOf(value)).toEqual([{ path, type, message: expect.stringMatching(message) as string }]),
  );

  it('accepts up to the limits', () => {
    expect(read(deep(MAX_VQL_DEPTH, unique))).toHaveLength(1);
    expect(read(...Array<object>(MAX_VQL_FILTERS).fill(unique))).toHaveLength(MAX_VQL_FILTERS);
    expect(read(...labels(Array.from({ length: MAX_LIST_LENGTH }, (_, i) => `${i}`)))).toHaveLength(1);
    expect(read(...labels(['a'.repeat(MAX_TEXT_LENGTH)]))).toHaveLength(1);
  });

  it('accepts duplicates at a few similarities, each any number of times', () => {
    const at = (similarity: number): object => ({ not: { duplicates: { op: 'duplicates', value: similarity } } });
    const few = Array.from({ length: 40 }, (_, i) => at(0.9 + (i % MAX_DUPLICATE_SIMILARITIES) / 100));
    expect(read(...few)).toHaveLength(40);
    const more = { or: [{ issues: { op: 'issue', value: 'duplicates', threshold: 0.85 } }] };
    expect(issuesOf([...few, more])).toEqual([
      { path: [], type: 'too_big', message: expect.stringMatching(/at 4 similarities or fewer/) as string },
    ]);
  });

  it('reports up to 50 mistakes', () => {
    const wrong = { text: { op: 'semantic', value: '', threshold: 2, other: 1 } };
    expect(issuesOf([wrong]).map(({ path }) => path.at(-1))).toEqual(['other', 'threshold', 'value']);
    expect(issuesOf(Array(MAX_VQL_FILTERS).fill(wrong))).toHaveLength(50);
  });

  it('stops at lists nested 100,000 deep', () => {
    const nested: unknown = JSON.parse('[{"or":'.repeat(100_000) + '[]' + '}]'.repeat(100_000));
    expect(issuesOf(nested)).toMatchObject([{ type: 'too_big' }]);
  });

  it('truncates the name of an unknown filter', () => {
    const [issue] = issuesOf([{ ['x'.repeat(1_000_000)]: {} }]);
    expect(issue!.path).toEqual([0, 'x'.repeat(100)]);
  });
});
