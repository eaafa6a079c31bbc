import type { Filter } from '../../src/modules/search/query/domain/filter';
import type { SearchQuery } from '../../src/modules/search/query/domain/search-query';
import { parseKeywords } from '../../src/modules/search/query/domain/parse-keywords';
import { captionOf, commonWords } from './captioned-collection';
import { mediaId } from './collection-row';

const images = (filters: readonly Filter[], rest: Partial<SearchQuery> = {}): SearchQuery => ({
  entityType: 'IMAGES',
  level: 0,
  filters,
  ...rest,
});

const keywords = (text: string): Filter => {
  const query = parseKeywords(text);
  if (query.kind === 'error') throw new Error(query.message);
  return { kind: 'keywords', query };
};

/** Request n of each kind. All requests differ, so that none is answered from a cache. */
export const searchRequests = (rows: number, tag: string) => ({
  labels: (n: number) => images([{ kind: 'labels', op: 'one_of', values: [`animal_${n % 40}`] }]),
  tags: () => images([{ kind: 'tags', op: 'is', values: [tag] }]),
  issues: (n: number) => images([{ kind: 'issues', names: ['blur'], threshold: 0.5 + (n % 40) / 100 }]),
  uniqueness: (n: number) => images([{ kind: 'uniqueness', above: 0.5 + (n % 40) / 100 }]),
  keywords: (n: number) => images([keywords(commonWords(n))]),
  anchor: (n: number) =>
    images([], { ranking: { kind: 'anchor', anchorId: mediaId((n * 7919) % rows), anchorType: 'MEDIA' } }),
  caption: (n: number) =>
    images(
      [
        { kind: 'labels', op: 'one_of', values: [`colour_${n % 12}`] },
        { kind: 'uniqueness', above: 0.3 },
      ],
      { ranking: { kind: 'textSimilarity', by: 'caption', text: captionOf((n * 104_729) % rows), maxDistance: 0.6 } },
    ),
  duplicates: (n: number) =>
    images([{ kind: 'duplicates', similarity: 0.95 }], { duplicates: 0.95, level: (n % 5) as 0 }),
});

export type RequestKind = keyof ReturnType<typeof searchRequests>;
