import type { Filter } from './filter';
import { makeSearchQuery, type AskedSearch } from './make-search-query';

const made = (parts: Partial<AskedSearch>) =>
  makeSearchQuery({ entityType: 'IMAGES', level: 2, filters: [], ...parts });

const label: Filter = { kind: 'labels', op: 'one_of', values: ['a'] };
const near: Filter = { kind: 'textSimilarity', by: 'meaning', text: 'near', minSimilarity: 0.5 };
const unbounded: Filter = { kind: 'textSimilarity', by: 'meaning', text: 'unbounded' };
const duplicates = (similarity: number): Filter => ({ kind: 'duplicates', similarity });

describe('makeSearchQuery', () => {
  it('browses without a ranking', () =>
    expect(made({ filters: [label] })).toEqual({ entityType: 'IMAGES', level: 2, filters: [label] }));

  it('ranks by the caption, up to its distance', () =>
    expect(made({ filters: [near], caption: { text: 'cat', maxDistance: 0.4 } })).toMatchObject({
      filters: [near],
      ranking: { kind: 'textSimilarity', by: 'caption', text: 'cat', maxDistance: 0.4 },
    }));

  it('ranks by the anchor, and filters by a caption with a distance', () => {
    const anchor = { id: 'x', type: 'MEDIA' } as const;
    const ranking = { kind: 'anchor', anchorId: 'x', anchorType: 'MEDIA' };
    expect(made({ anchor, caption: { text: 'cat', maxDistance: 0.4 } })).toMatchObject({
      filters: [{ kind: 'textSimilarity', by: 'caption', text: 'cat', maxDistance: 0.4 }],
      ranking,
    });
    expect(made({ anchor, caption: { text: 'cat' } })).toMatchObject({ filters: [], ranking });
  });

  it('sorts by a measure in preference to a text similarity filter', () =>
    expect(made({ filters: [near, unbounded], sort: '-file_size' })).toMatchObject({
      filters: [near],
      ranking: { kind: 'measure', measure: 'size', isDescending: true },
    }));

  it('ranks by the first mandatory text similarity, and keeps bounded ones as filters', () => {
    expect(made({ filters: [label, near, unbounded] })).toMatchObject({
      filters: [label, near],
      ranking: { kind: 'textSimilarity', by: 'meaning', text: 'near' },
    });
    expect(made({ filters: [unbounded, near] })).toMatchObject({
      filters: [near],
      ranking: { kind: 'textSimilarity', by: 'meaning', text: 'unbounded' },
    });
    expect(made({ filters: [{ kind: 'and', filters: [label, near] }] })).toMatchObject({
      ranking: { kind: 'textSimilarity', by: 'meaning', text: 'near' },
    });
  });

  it.each<Filter>([
    { kind: 'or', filters: [near, label] },
    { kind: 'not', filter: near },
  ])('does not rank by a meaning that need not hold', (filter) =>
    expect(made({ filters: [filter] }).ranking).toBeUndefined(),
  );

  it('groups near duplicates by the highest mandatory similarity', () => {
    const filters: Filter[] = [
      duplicates(0.9),
      { kind: 'and', filters: [duplicates(0.95)] },
      { kind: 'not', filter: duplicates(1) },
    ];
    expect(made({ filters })).toEqual({ entityType: 'IMAGES', level: 2, filters, duplicates: 0.95 });
    expect(made({ filters: [{ kind: 'or', filters: [duplicates(1), label] }] })).not.toHaveProperty('duplicates');
  });
});
