import type { VqlFilter } from 'dataset-media-service-sdk';
import { otherFilters, valuesOf } from './simple-filters';
import { sourceFilterOf, sourceFiltersOf, withoutSource, withSource, type SourceFilter } from './source-filters';

const anyOf = (source: string): SourceFilter => ({ source, labels: [], confidence: [0, 1], count: 1, attributes: {} });
const OTHER: VqlFilter = { labels: { op: 'one_of', value: ['boat'] } };

describe('filters of sources', () => {
  it('are written without what is usual, and read again', () => {
    const any = withSource([], 'a');
    expect(any).toEqual([{ labels: { op: 'not_one_of', value: ['unlabeled'], source: 'a' } }]);
    const attributes = { occluded: true, age: [3, 10] as [number, number] };
    const filter: SourceFilter = { source: 'b', labels: ['boat', 'buoy'], confidence: [0.5, 1], count: 3, attributes };
    const both = withSource([...any, OTHER], 'b', filter);
    expect(both[2]).toEqual({
      labels: { op: 'one_of', value: ['boat', 'buoy'], source: 'b', confidence: [0.5, 1], count: 3, attributes },
    });
    expect(sourceFiltersOf(both)).toEqual([anyOf('a'), filter]);
  });

  it('replace those of their source, at the same place, and nothing else', () => {
    const both = withSource(withSource([OTHER], 'a', { count: 2 }), 'b');
    const changed = withSource(both, 'a', { labels: ['boat'] });
    expect(sourceFiltersOf(changed)).toEqual([{ ...anyOf('a'), labels: ['boat'], count: 2 }, anyOf('b')]);
    expect(withoutSource(changed, 'a')).toEqual([OTHER, ...withSource([], 'b')]);
    expect(valuesOf(changed, 'labels')).toEqual(['boat']);
    expect(otherFilters(changed)).toEqual([]);
  });

  it.each([
    { labels: { op: 'one_of', value: ['boat'] } },
    { labels: { op: 'is', value: ['boat'], source: 'a' } },
    { labels: { op: 'one_of', value: ['boat'], source: 'a', area: [0, 9] } },
    { labels: { op: 'one_of', value: ['boat'], source: 'a', confidence: [0, 'x'] } },
    { labels: { op: 'one_of', value: [1], source: 'a' } },
    { labels: { op: 'one_of', value: ['boat'], source: 'a', attributes: { colour: ['red'] } } },
    { labels: null },
    { not: { labels: { op: 'one_of', value: ['boat'], source: 'a' } } },
    {},
  ])('are not %j', (filter) => {
    expect(sourceFilterOf(filter)).toBeUndefined();
  });
});
