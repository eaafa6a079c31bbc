import type { Filter } from './filter';
import { parseVql } from './parse-vql';

const TAG = '11111111-2222-4333-8444-555555555555';
const labels: Filter = { kind: 'labels', op: 'one_of', values: ['a'] };
const narrower: Filter = { ...labels, withNarrower: true };

describe('a filter of labels with those below them', () => {
  it.each<[string, object, Filter]>([
    ['of one', { op: 'one_of', value: ['a'], with_narrower: true }, narrower],
    ['that is off', { op: 'one_of', value: ['a'], with_narrower: false }, labels],
    [
      'of none beside no label at all',
      { op: 'not_one_of', value: ['a', 'unlabeled'], with_narrower: true },
      { kind: 'not', filter: { kind: 'or', filters: [narrower, { kind: 'unlabeled' }] } },
    ],
    [
      'of all beside no label at all',
      { op: 'is', value: ['a', 'unlabeled'], with_narrower: true },
      { kind: 'and', filters: [{ ...narrower, op: 'is' }, { kind: 'unlabeled' }] },
    ],
  ])('is read: %s', (_, given, filter) => {
    expect(parseVql([{ labels: given }])).toEqual({ ok: true, filters: [filter] });
  });

  it.each([
    ['a text', { labels: { op: 'one_of', value: ['a'], with_narrower: 'true' } }, 'labels', 'invalid_type'],
    ['tags', { tags: { op: 'one_of', value: [TAG], with_narrower: true } }, 'tags', 'unrecognized_keys'],
  ])('is refused: %s', (_, vql, name, type) => {
    const path = [0, name, 'with_narrower'];
    expect(parseVql([vql])).toMatchObject({ ok: false, issues: [{ path, type }] });
  });
});
