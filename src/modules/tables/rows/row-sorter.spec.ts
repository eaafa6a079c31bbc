import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { sortByRank, type RankedRow } from './row-sorter';

const ROWS = 600;

describe('sorting rows by rank', () => {
  let folder: string;
  let spool: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-sorter-'));
    spool = join(folder, 'spool');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Each rank once, in random order. */
  async function* shuffled(): AsyncGenerator<RankedRow> {
    for (let at = 0; at < ROWS; at += 1) yield await Promise.resolve({ rank: (at * 331) % ROWS, row: mediaRow(at) });
  }
  const inOrder = Array.from({ length: ROWS }, (_, at) => at).sort((a, b) => ((a * 331) % ROWS) - ((b * 331) % ROWS));
  const sort = (roomBytes?: number): AsyncGenerator<MediaRow[]> =>
    sortByRank({ rows: shuffled(), count: ROWS, dimensions: DIMENSIONS }, spool, roomBytes);

  it.each([undefined, 300_000, 2_000])('yields all rows in order with %p bytes of memory', async (roomBytes) => {
    const sorted: MediaRow[] = [];
    for await (const batch of sort(roomBytes)) sorted.push(...batch);
    expect(sorted.map(({ id }) => id)).toEqual(inOrder.map((at) => mediaRow(at).id));
    expect(sorted[5]).toEqual(mediaRow(inOrder[5]!));
    await expect(stat(spool)).rejects.toThrow('ENOENT');
  });

  it('writes rows beyond the memory limit to disk, and removes the files even if iteration stops early', async () => {
    const files: number[] = [];
    for await (const batch of sort(2_000)) {
      expect(batch.length).toBeLessThan(200);
      files.push((await readdir(spool)).length);
      if (files.length === 2) break;
    }
    expect(files).toEqual([3, 2]);
    await expect(stat(spool)).rejects.toThrow('ENOENT');
  });
});
