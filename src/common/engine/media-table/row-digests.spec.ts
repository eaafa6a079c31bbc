import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from './media-row';
import { MediaTableStore } from './media-table-store';
import { readDigests } from './row-digests';

const ROWS = 10_000;

describe('digests of rows', () => {
  let folder: string;
  let store: MediaTableStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'row-digests-'));
    store = new MediaTableStore({ uri: folder, storageOptions: {} });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const digestsOf = async (generation: string, rows: MediaRow[]) => {
    const table = await store.open(await store.create(generation, DIMENSIONS, [rows]));
    const all = { keys: [] as number[], labels: [] as string[], captions: [] as string[] };
    for await (const { first, count, keys, labels, captions } of readDigests(table)) {
      expect(first).toBe(all.labels.length);
      all.keys.push(...keys);
      for (let i = 0; i < count; i++) {
        all.labels.push(labels.slice(2 * i, 2 * i + 2).join());
        all.captions.push(captions.slice(2 * i, 2 * i + 2).join());
      }
    }
    return all;
  };

  it('distinguish texts, but not the order of labels', async () => {
    const { labels, captions } = await digestsOf(
      'texts',
      [
        { labels: [], caption: null },
        { labels: ['ab', 'c'], caption: 'ab' },
        { labels: ['c', 'ab'], caption: 'ba' },
        { labels: ['a', 'bc'], caption: 'ab' },
        { labels: ['c'], caption: null },
        { labels: ['c', 'c'], caption: '語' },
        { labels: [], caption: null, generatedCaption: 'ab' },
        { labels: [], caption: 'ab', generatedCaption: 'ba' },
      ].map((changes, i) => mediaRow(i, changes)),
    );
    expect(labels[1]).toBe(labels[2]);
    expect(new Set(labels).size).toBe(5);
    expect(captions[1]).toBe(captions[3]);
    expect([captions[0], captions[4]]).toEqual(['0,0', '0,0']);
    expect(new Set(captions).size).toBe(6);
  });

  it('contain the whole id, and do not collide for many texts', async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => mediaRow(i, { labels: [`l${i}`], caption: `caption ${i}` }));
    const { keys, labels, captions } = await digestsOf('many', rows);
    const hex = keys.map((word) => word.toString(16).padStart(8, '0')).join('');
    expect(hex).toBe(rows.map(({ id }) => id.replaceAll('-', '')).join(''));
    expect(new Set(labels).size).toBe(ROWS);
    expect(new Set(captions).size).toBe(ROWS);
  });
});
