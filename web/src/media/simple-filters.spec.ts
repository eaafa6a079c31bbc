import type { VqlFilter } from 'dataset-media-service-sdk';
import { excludedOf, otherFilters, toggled, valuesOf } from './simple-filters';

const folders = (value: string[]): VqlFilter => ({ folders: { op: 'one_of', value } });

describe('the values of a list', () => {
  it('are chosen or excluded, each value one or the other', () => {
    const two = toggled(toggled([], 'folders', 'a'), 'folders', 'b');
    expect(two).toEqual([folders(['a', 'b'])]);
    const excluded = toggled(two, 'folders', 'b', 'exclude');
    expect(excluded).toEqual([folders(['a']), { not: folders(['b']) }]);
    expect([valuesOf(excluded, 'folders'), excludedOf(excluded, 'folders')]).toEqual([['a'], ['b']]);
    expect(toggled(excluded, 'folders', 'b')).toEqual([folders(['a', 'b'])]);
    expect(toggled(toggled(excluded, 'folders', 'b', 'exclude'), 'folders', 'a')).toEqual([]);
  });

  it('leave other filters as they are', () => {
    const others: VqlFilter[] = [
      { not: { labels: { op: 'one_of', value: ['car'] } } },
      { not: { folders: { op: 'contains', value: 'a' } } },
      { width: { op: 'gte', value: 10 } },
    ];
    expect(toggled(others, 'folders', 'a', 'exclude')).toEqual([...others, { not: folders(['a']) }]);
    expect(otherFilters(toggled(others, 'folders', 'a', 'exclude'))).toEqual([others[1]]);
  });
});
