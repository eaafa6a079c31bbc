import { filteredBy, isFilteredBy, legendEntries } from './legend-entries';
import type { DatasetMap } from './map-queries';

const mapOf = (part: Partial<DatasetMap>): DatasetMap => ({
  map_version: 'v',
  entity_type: 'IMAGES',
  total_media: 100,
  placed_media: 100,
  matching_media: 100,
  color_by: 'label',
  legend: [],
  max_zoom: 14,
  points_per_tile: 8192,
  ...part,
});

const value = (name: string, media: number, id: string | null = null) => ({ value: name, id, media });
const twenty = Array.from({ length: 20 }, (_, at) => value(`label ${at}`, 3));

describe('map legend', () => {
  it('has an entry for the other exclusive values, with their number', () => {
    const entries = legendEntries(mapOf({ color_by: 'cluster', legend: [value('1', 60, 'a'), value('2', 30, 'b')] }));
    expect(entries.map(({ colour, name, count }) => [colour, name, count])).toEqual([
      [0, 'Cluster 1', 60],
      [1, 'Cluster 2', 30],
      [20, 'Smaller clusters', 10],
    ]);
    expect(entries.every(({ filter }) => filter === null)).toBe(true);
  });

  it('filters by outcomes of the evaluation that the colours are of', () => {
    const legend = [value('fp', 8), value('tp', 5)];
    const [wrong, right] = legendEntries(mapOf({ color_by: 'outcome', placed_media: 13, legend }), 'e');
    expect(wrong).toMatchObject({ name: 'False positive', filter: { value: 'fp' } });
    const filters = filteredBy(filteredBy([], wrong!.filter!), right!.filter!);
    expect(filters).toEqual([{ evaluation: { op: 'is', value: ['fp', 'tp'], evaluation: 'e' } }]);
    expect(isFilteredBy(filters, wrong!)).toBe(true);
    expect(isFilteredBy(filteredBy(filters, wrong!.filter!), wrong!)).toBe(false);
  });

  it('names clusters after common values of their media, numbered if names repeat', () => {
    const named = (number: string, name?: string) => ({
      ...value(number, 10, number),
      ...(name === undefined ? {} : { name }),
    });
    const legend = [named('1', 'shirt'), named('2', 'hat'), named('3'), named('4', 'shirt')];
    const names = legendEntries(mapOf({ color_by: 'cluster', placed_media: 40, legend })).map(({ name }) => name);
    expect(names).toEqual(['shirt 1', 'hat', 'Cluster 3', 'shirt 2']);
  });

  it('has no entry for other values if there are none', () => {
    const entries = legendEntries(mapOf({ color_by: 'batch', legend: [value('0123456789', 100, '0123456789')] }));
    expect(entries.map(({ name }) => name)).toEqual(['Batch 01234567']);
  });

  it('has an entry for other labels only if it is full, and always one for media without labels', () => {
    expect(legendEntries(mapOf({ legend: [value('boat', 5)] })).map(({ name }) => name)).toEqual([
      'boat',
      'Without label',
    ]);
    expect(legendEntries(mapOf({ legend: twenty })).map(({ colour }) => colour)).toEqual([
      ...twenty.keys(),
      20,
      65_535,
    ]);
  });

  it('is empty if points have no colours', () => {
    expect(legendEntries(mapOf({ color_by: 'none' }))).toEqual([]);
  });

  it('filters by labels, by the ids of tags, and by having none', () => {
    const [boat, without] = legendEntries(mapOf({ legend: [value('boat', 5)] }));
    const filters = filteredBy([], boat!.filter!);
    expect(filters).toEqual([{ labels: { op: 'one_of', value: ['boat'] } }]);
    expect(isFilteredBy(filters, boat!)).toBe(true);
    expect(isFilteredBy(filters, without!)).toBe(false);
    expect(filteredBy(filteredBy(filters, without!.filter!), boat!.filter!)).toEqual([
      { labels: { op: 'one_of', value: ['unlabeled'] } },
    ]);
    const [tag] = legendEntries(mapOf({ color_by: 'tag', legend: [value('Blue', 5, 'the-id')] }));
    expect(tag).toMatchObject({ name: 'Blue', filter: { key: 'tags', value: 'the-id' } });
  });
});
