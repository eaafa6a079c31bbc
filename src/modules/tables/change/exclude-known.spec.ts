import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../../test/support/folder-store';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { encodeChunk } from '../../../common/engine/media-table/row-batch';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { DIMENSIONS, mediaRow } from '../../../../test/support/media-rows';
import type { AnalyzedChunk } from '../persistence/chunk-journal.repository';
import { ChunkRows } from '../rows/chunk-rows';
import { excludeKnown } from './exclude-known';

const part = (parent: MediaRow, seed: number, kind: 'OBJECT' | 'FRAME'): MediaRow => ({
  ...mediaRow(seed),
  kind,
  parentId: parent.id,
  source: parent.source,
});

describe('files of a batch that a table already has', () => {
  let folder: string;
  let store: ObjectStore;
  let tables: MediaTableStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-known-'));
    store = folderStore(folder);
    tables = new MediaTableStore({ uri: join(folder, 'tables'), storageOptions: {} });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const chunksOf = async (...chunks: MediaRow[][]): Promise<ChunkRows> => {
    const journal: AnalyzedChunk[] = [];
    for (const [sequence, rows] of chunks.entries()) {
      const count = (kind: MediaRow['kind']): number => rows.filter((row) => row.kind === kind).length;
      const storeKey = `work/${sequence}.arrow`;
      await store.put(storeKey, encodeChunk(rows));
      journal.push({
        sequence,
        storeKey,
        files: rows.length,
        images: count('IMAGE'),
        videos: count('VIDEO'),
        frames: count('FRAME'),
        objects: count('OBJECT'),
        boxesOutside: 0,
        annotatedVideos: 0,
        madeFrom: null,
      });
    }
    return new ChunkRows(store, journal, new AbortController().signal);
  };
  const idsOf = async (rows: ChunkRows): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of rows.rows()) ids.push(id);
    return ids;
  };

  it('are excluded with their objects and frames, and so are duplicates within a batch', async () => {
    const known = mediaRow(1);
    const knownVideo: MediaRow = { ...mediaRow(2), kind: 'VIDEO', embedding: null };
    const table = await tables.open(await tables.create('known', DIMENSIONS, [[known, knownVideo]]));

    const video = { ...knownVideo, id: mediaRow(20).id };
    const fresh = mediaRow(3);
    const sameBytes = { ...mediaRow(4), sha256: known.sha256 };
    const otherBytes = { ...mediaRow(5), source: known.source, path: known.path };
    const again = { ...mediaRow(6), source: fresh.source, path: fresh.path, sha256: fresh.sha256 };
    const analyzed = await chunksOf(
      [
        { ...known, id: mediaRow(10).id },
        part(known, 11, 'OBJECT'),
        fresh,
        part(fresh, 30, 'OBJECT'),
        part(fresh, 31, 'OBJECT'),
      ],
      [],
      [video, part(video, 21, 'FRAME'), part(video, 22, 'FRAME'), sameBytes, otherBytes],
      [again, part(again, 61, 'OBJECT')],
    );
    const { rows, skipped } = await excludeKnown(analyzed, table);
    expect(skipped).toBe(3);
    expect(await idsOf(rows)).toEqual([fresh.id, mediaRow(30).id, mediaRow(31).id, sameBytes.id, otherBytes.id]);
    expect(rows.counts).toEqual({ images: 3, videos: 0, objects: 2, frames: 0 });
    expect(rows.files).toBe(3);
  });

  it('are found among many files', async () => {
    const table = await tables.open(
      await tables.create('many', DIMENSIONS, [Array.from({ length: 5_000 }, (_, at) => mediaRow(at))]),
    );
    const analyzed = await chunksOf(Array.from({ length: 9_000 }, (_, at) => ({ ...mediaRow(at + 2_500) })));
    const { rows, skipped } = await excludeKnown(analyzed, table);
    expect(skipped).toBe(2_500);
    expect(rows.counts.images).toBe(6_500);
    expect((await idsOf(rows))[0]).toBe(mediaRow(5_000).id);
  });
});
