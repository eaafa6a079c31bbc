import { randomUUID } from 'node:crypto';
import { mediaSelection, MOST_FILTERS } from './media-selection.schema';

const words = (from: number): string => Array.from({ length: 60 }, (_, at) => `word${from + at}`).join(' ');
const keywords = (from: number) => [0, 60, 120, 180].map((at) => ({ text: { op: 'fts', value: words(from + at) } }));
const cluster = (filters: unknown) => ({
  type: 'cluster',
  payload: { cluster_id: randomUUID(), cluster_filters: filters },
});

describe('filters of a selection', () => {
  it('are parsed once if a thousand clusters have the same', () => {
    const { data, error } = mediaSelection.safeParse(
      Array.from({ length: 1_000 }, () => cluster({ vql: keywords(0), labels: '[dog]' })),
    );
    expect(error).toBeUndefined();
    expect(data).toHaveLength(1_000);
    const queries = new Set(data!.map((item) => item.kind === 'cluster' && item.query));
    expect([...queries]).toMatchObject([
      { filters: [{ kind: 'labels' }, ...keywords(0).map(() => ({ kind: 'keywords' }))] },
    ]);
  });

  it('are limited in total for any number of clusters', () => {
    const four = Array.from({ length: 1_000 }, (_, at) => cluster({ vql: keywords(at) }));
    const { error } = mediaSelection.safeParse(four);
    expect(error!.issues).toEqual([
      {
        code: 'custom',
        path: [Math.floor(MOST_FILTERS / 4), 'payload', 'cluster_filters'],
        message: `The filters of all items should be at most ${MOST_FILTERS} together, the same ones counted once`,
        params: { type: 'too_big' },
      },
    ]);
  });

  it('can be as many as in a single search', () => {
    const vql = Array.from({ length: 99 }, () => ({ issues: { op: 'issue', value: ['blur', 'duplicates'] } }));
    const anchor = { anchor_media_id: randomUUID(), anchor_type: 'MEDIA' };
    const caption = { caption: 'a', textual_similarity_threshold: 0.5, entity_type: 'IMAGES' };
    const whole = { vql, labels: ['a'], tags: ['untagged'], duplicate_threshold: 0.9, ...caption, ...anchor };
    expect(mediaSelection.safeParse([cluster(whole)]).error).toBeUndefined();
    expect(mediaSelection.safeParse([cluster(whole), cluster({ vql })]).success).toBe(false);
  });

  it('are reported with their position, for one item', () => {
    const { error } = mediaSelection.safeParse([cluster({}), cluster({ label: 1, vql: [{ text: {} }] }), cluster(1)]);
    expect(error!.issues.map(({ path }) => path.slice(0, 4))).toEqual([
      [1, 'payload', 'cluster_filters', 'vql'],
      [1, 'payload', 'cluster_filters'],
    ]);
  });
});
