import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { FOLDER_STORAGE } from '../../../../../test/support/folder-storage';
import { mediaRow } from '../../../../../test/support/media-rows';
import { writeCard } from '../../../../common/engine/media-table/row-card';
import type { MediaRow } from '../../../../common/engine/media-table/media-row';
import { AskedThread } from '../../../../common/platform/concurrency/asked-thread';
import { createStorage } from '../../../../common/platform/storage/create-storage';
import { SourceNotAllowedError } from '../../../../common/platform/storage/sources/source-location';
import type { FoundClusters } from '../found-clusters';
import { SignedMediaUrls } from '../../media/signed-media-urls';
import { presentExplore, type FoundPage } from './explore.presenter';
import { PagePresenter } from './page-presenter';

const TAG = 'e7f3c5d0-6b3a-4a57-9d5e-0d0f3c1b2a49';

let servesOriginals = false;
let presenter: PagePresenter;
const ask = jest.spyOn(AskedThread.prototype, 'ask');

beforeEach(() => {
  servesOriginals = false;
  ask.mockClear();
  const { sources } = createStorage(FOLDER_STORAGE);
  presenter = new PagePresenter(FOLDER_STORAGE, new SignedMediaUrls(sources, () => servesOriginals), {
    isOn: () => servesOriginals,
  });
});
afterEach(() => presenter.onModuleDestroy());

const urls = (): SignedMediaUrls => new SignedMediaUrls(createStorage(FOLDER_STORAGE).sources);
/** Serialised without the thread. */
const expectedOf = (found: FoundPage): Promise<string> => presentExplore(found, urls()).then(String);
const shownOf = (found: FoundPage): Promise<string> => presenter.present(found).then(String);

function page(rows: readonly MediaRow[], number = 0): FoundPage {
  const texts = rows.map((row) => Buffer.from(writeCard(row)));
  const ends = texts.map((_, at) => texts.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0));
  const found: FoundClusters = {
    cards: { bytes: Buffer.concat(texts), bounds: Int32Array.of(0, ...ends) },
    totalPages: 3,
    scored: 'cosine_distance',
    formedBy: 'SIMILARITY',
    partial: { searched: 10, total: 20 },
    recall: 0.99,
    clusters: rows.map((_, card) => ({
      id: `cluster ${card}`,
      cluster: card,
      counts: { IMAGE: 1, OBJECT: 0, VIDEO: 0, FRAME: 0 },
      labels: [{ label: 'dog', count: 1 }],
      score: 0.25,
      tags: [{ id: TAG, count: 1 }],
      previews: [
        {
          kind: 'IMAGE',
          score: 0.25,
          labels: ['dog'],
          tags: [TAG],
          matched: ['text'],
          sources: { truth: { dog: 2 } },
          card,
          video: undefined,
        },
        { kind: 'FRAME', score: null, labels: [], tags: [], matched: undefined, card, video: rows.length - 1 },
      ],
    })),
  };
  return { found, asked: { query: { entityType: 'IMAGES', level: 2 }, page: number }, names: new Map([[TAG, 'kept']]) };
}

const pictures = (count: number): MediaRow[] =>
  Array.from({ length: count }, (_, at) => mediaRow(at, { caption: `a "dög" ${at}`, fileName: `${at} ü.jpg` }));

describe('pages of which a thread serialises a half', () => {
  it.each([0, 1, 19, 20, 61, 900])('equal those serialised here, with %d clusters', async (clusters) => {
    const pages = Array.from({ length: 6 }, (_, number) => page(pictures(clusters), number));
    const expected = await Promise.all(pages.map(expectedOf));
    const shown = await Promise.all(pages.map(shownOf));
    // The thread gets at most four pages, and no small ones.
    expect(ask).toHaveBeenCalledTimes(clusters < 20 ? 0 : 4);
    expect(shown).toEqual(expected);
    expect(JSON.parse(shown[5]!)).toMatchObject({ current_page: 5, total_pages: 3, approximate: true });
    expect((JSON.parse(shown[5]!) as { clusters: unknown[] }).clusters).toHaveLength(clusters);
  });

  it('use originals after the setting changes', async () => {
    const rows = pictures(20).map((row) => ({ ...row, fileName: 'a.jpg', thumbnailKey: 'thumbnails/1.webp' }));
    const shown = async (): Promise<boolean[]> => {
      const { clusters } = JSON.parse(await shownOf(page(rows))) as {
        clusters: { previews: { media_uri: string; media_thumb_uri: string }[] }[];
      };
      const previews = [clusters[0]!, clusters[19]!].map((cluster) => cluster.previews[0]!);
      return previews.map(({ media_uri: original, media_thumb_uri: thumbnail }) => original === thumbnail);
    };
    expect(await shown()).toEqual([false, false]);
    servesOriginals = true;
    expect(await shown()).toEqual([true, true]);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it.each([0, 59])('fail with the same error as a whole page', async (refused) => {
    const rows = pictures(60).map((row, at) => (at === refused ? { ...row, source: 's3://elsewhere/a.jpg' } : row));
    await expect(expectedOf(page(rows))).rejects.toThrow(SourceNotAllowedError);
    const [first, second] = await Promise.allSettled([shownOf(page(pictures(60))), shownOf(page(rows))]);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(SourceNotAllowedError) as Error });
  });

  it('are still serialised if the thread ends, and later ones by another thread', async () => {
    const expected = await expectedOf(page(pictures(60)));
    const told: string[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: string) => void told.push(message));
    const atOnce = () => Promise.all([1, 2, 3].map(() => shownOf(page(pictures(60)))));
    const written = atOnce();
    await setImmediate();
    const [thread] = ask.mock.contexts as AskedThread[];
    await thread!.end();
    expect(await written).toEqual([expected, expected, expected]);
    expect(told).toEqual([
      expect.stringMatching(/^The thread page-presenter.thread ended with code \d; the next pages are/),
    ]);
    expect(await atOnce()).toEqual([expected, expected, expected]);
    expect(new Set(ask.mock.contexts).size).toBe(2);
    await presenter.onModuleDestroy();
    expect(await atOnce()).toEqual([expected, expected, expected]);
    expect([ask.mock.calls.length, told.length]).toEqual([6, 1]);
  });
});
