import type { VqlFilter } from 'dataset-media-service-sdk';
import { excludedOf, hasNarrower, otherFilters, toggled, valuesOf } from './simple-filters';

const folders = (value: string[]): VqlFilter => ({ folders: { op: 'one_of', value } });

describe('values of a list filter', () => {
  it('are either chosen or excluded', () => {
    const two = toggled(toggled([], 'folders', 'a'), 'folders', 'b');
    expect(two).toEqual([folders(['a', 'b'])]);
    const excluded = toggled(two, 'folders', 'b', 'exclude');
    expect(excluded).toEqual([folders(['a']), { not: folders(['b']) }]);
    expect([valuesOf(excluded, 'folders'), excludedOf(excluded, 'folders')]).toEqual([['a'], ['b']]);
    expect(toggled(excluded, 'folders', 'b')).toEqual([folders(['a', 'b'])]);
    expect(toggled(toggled(excluded, 'folders', 'b', 'exclude'), 'folders', 'a')).toEqual([]);
  });

  it('can be those of a custom field', () => {
    const of = (field: string, value: string[]): VqlFilter => ({ metadata: { op: 'one_of', field, value } });
    const filters = toggled([of('site', ['north'])], 'field:quay', 'x');
    expect(filters).toEqual([of('site', ['north']), of('quay', ['x'])]);
    const changed = toggled(toggled(filters, 'field:site', 'north', 'exclude'), 'field:quay', 'y');
    expect(changed).toEqual([{ not: of('site', ['north']) }, of('quay', ['x', 'y'])]);
    expect([valuesOf(changed, 'field:quay'), excludedOf(changed, 'field:site')]).toEqual([['x', 'y'], ['north']]);
    const others: VqlFilter[] = [
      { metadata: { op: 'contains', field: 'site', value: 'n' } },
      { metadata: { op: 'eq', field: 'depth', value: 3 } },
    ];
    expect(otherFilters([...changed, ...others])).toEqual(others);
  });

  it('can be labels that stand for those below them', () => {
    const labels = (value: string[]): VqlFilter => ({ labels: { op: 'one_of', value, with_narrower: true } });
    const plain = toggled([], 'labels', 'car');
    const filters = toggled(plain, 'labels', 'animal', 'choose', true);
    expect(filters).toEqual([labels(['car', 'animal'])]);
    expect([valuesOf(filters, 'labels'), hasNarrower(filters), otherFilters(filters)]).toEqual([
      ['car', 'animal'],
      true,
      [],
    ]);
    expect(toggled(filters, 'labels', 'animal')).toEqual([labels(['car'])]);
    const excluded = toggled(plain, 'labels', 'animal', 'exclude', true);
    expect(excluded).toEqual([...plain, { not: labels(['animal']) }]);
    expect([hasNarrower(excluded), hasNarrower(excluded, 'exclude')]).toEqual([false, true]);
    expect(toggled(excluded, 'labels', 'animal', 'exclude')).toEqual(plain);
  });

  it('do not change other filters', () => {
    const others: VqlFilter[] = [
      { not: { labels: { op: 'one_of', value: ['car'] } } },
      { not: { folders: { op: 'contains', value: 'a' } } },
      { width: { op: 'gte', value: 10 } },
    ];
    expect(toggled(others, 'folders', 'a', 'exclude')).toEqual([...others, { not: folders(['a']) }]);
    expect(otherFilters(toggled(others, 'folders', 'a', 'exclude'))).toEqual([others[1]]);
  });
});
