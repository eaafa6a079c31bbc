import { changed, orderedQueryOf, queryOf, readState, writeState, type ExploreState } from './explore-address';
import { boundsOf, meaningOf, otherFilters, withBounds, withMeaning, withWords } from './simple-filters';

const STATE: ExploreState = { ...readState(new URLSearchParams()), caption: 'a boat', block: 2 };

describe('changing the Explore address', () => {
  it('keeps the rest, and returns to the start of the result', () => {
    expect(changed(STATE, { level: 1 })).toEqual({ ...STATE, level: 1, block: 0 });
    expect(changed(STATE, { block: 3 })).toEqual({ ...STATE, block: 3 });
  });

  it('keeps invalid filters, for the service to refuse, until others are set', () => {
    for (const vql of ['[{"labels":', '{"labels":{}}', 'null', '[1]']) {
      const state = readState(new URLSearchParams({ vql }));
      expect(queryOf(state)).toMatchObject({ vql });
      expect(writeState(changed(state, { level: 1 })).get('vql')).toBe(vql);
      expect(queryOf(changed(state, { filters: [] }))).not.toHaveProperty('vql');
    }
    expect(queryOf(readState(new URLSearchParams({ vql: '' })))).not.toHaveProperty('vql');
  });

  it('adds to the current filters', () => {
    const from = withBounds([], 'width', { from: 1, to: null });
    const { filters } = changed(
      { ...STATE, filters: from },
      { filters: (current) => withBounds(current, 'width', { ...boundsOf(current, 'width'), to: 9 }) },
    );
    expect(boundsOf(filters, 'width')).toEqual({ from: 1, to: 9 });
  });
});

describe('a search by meaning', () => {
  const meant = { text: 'a boat', least: 0.2 };

  it('is a single filter with a minimum similarity', () => {
    const filters = withMeaning(withMeaning([], { text: 'a car', least: null }), meant);
    expect(filters).toEqual([{ text: { op: 'semantic', value: 'a boat', threshold: 0.2 } }]);
    expect(meaningOf(filters)).toEqual(meant);
    expect(otherFilters(filters)).toEqual([]);
    expect(withMeaning(filters, null)).toEqual([]);
    expect(meaningOf(withMeaning([], { text: 'a car', least: null }))).toEqual({ text: 'a car', least: null });
  });

  it('can be sorted, unlike the caption parameter', () => {
    const sorted = { ...STATE, caption: '', sort: '-blur' } as const;
    expect(orderedQueryOf({ ...sorted, filters: withMeaning([], meant) })).toMatchObject({ sort: '-blur' });
    expect(orderedQueryOf({ ...sorted, caption: 'a boat' })).not.toHaveProperty('sort');
  });
});

describe('searching', () => {
  const browsing = readState(new URLSearchParams());

  it.each([
    ['a meaning', { filters: withMeaning([], { text: 'a boat', least: null }) }],
    ['words', { filters: withWords([], 'boat') }],
    ['a picture', { anchor: { type: 'MEDIA', id: 'm' } }],
    ['a text as a parameter', { caption: 'a boat' }],
  ] as const)('shows single pictures for %s, until the user groups them', (_, part) => {
    expect(browsing.level).toBe(3);
    const found = changed(browsing, part);
    expect(found.level).toBe(0);
    expect(readState(writeState(found))).toEqual(found);
    expect(writeState(found).has('level')).toBe(false);
    const grouped = changed(found, { level: 3 });
    expect(readState(writeState(grouped)).level).toBe(3);
    expect(changed(changed(browsing, { level: 1 }), part).level).toBe(1);
    expect(changed(found, { filters: [], caption: '', anchor: null })).toEqual(browsing);
  });
});
