import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaRow, unitVector } from '../../../../test/support/media-rows';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { FolderObjectStore } from '../../../common/platform/storage/folder/folder-object-store';
import { UrlSigner } from '../../../common/platform/storage/links/url-signer';
import type { EntityType } from '../domain/entity-type';
import { DuplicateGroupsCache } from './duplicate-groups-cache';

const DIMENSION = 3;

const of = (table: MediaTable, nearDuplicates = 0.95) => ({ table, pointer: { nearDuplicates } });
const GENERATION = '3f0c3b0e-6f5e-4a51-9d3a-6a52b1a8f001';

describe('groups of near duplicates of a table', () => {
  let folder: string;
  let store: FolderObjectStore;
  let table: MediaTable;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplicates-'));
    store = new FolderObjectStore({ root: folder, signer: new UrlSigner(Buffer.alloc(32, 7)), baseUrl: '' });
    const tables = new MediaTableStore({ uri: join(folder, 'tables'), storageOptions: {} });
    const row = (seed: number, changes: Partial<MediaRow>): MediaRow =>
      mediaRow(seed, { embedding: unitVector(seed, DIMENSION), ...changes });
    const turned = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle), 0);
    const rows = [
      row(0, { embedding: turned(0) }),
      row(1, { embedding: turned(0.2), kind: 'FRAME' }),
      row(2, {}),
      row(3, { kind: 'OBJECT' }),
      row(4, { kind: 'OBJECT' }),
      row(5, { kind: 'VIDEO', embedding: null }),
    ];
    table = await tables.open(await tables.create(GENERATION, { embedding: DIMENSION, captionEmbedding: 4 }, [rows]));
    await writeEdges(store, table.at, [
      { first: Int32Array.of(1), second: Int32Array.of(0), cosine: Float32Array.of(Math.cos(0.2)) },
      { first: Int32Array.of(3), second: Int32Array.of(4), cosine: Float32Array.of(1) },
    ]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const groups = async (
    entityType: EntityType,
    similarity: number,
    cache = new DuplicateGroupsCache(store, 2 ** 20),
  ): Promise<number[][]> => {
    const found = await cache.open(of(table), entityType, similarity);
    expect(found.groupOf).toHaveLength(table.rows);
    return Array.from(found.centre, (_, group) => [...found.members(group)]);
  };

  it('contain images and frames, or objects; videos have none', async () => {
    expect(await groups('IMAGES', 0.9)).toEqual([[0, 1]]);
    expect(await groups('OBJECTS', 0.9)).toEqual([[3, 4]]);
    expect(await groups('VIDEOS', 0.9)).toEqual([]);
  });

  it('compare the vectors of borderline pairs', async () => {
    const cosine = Math.round(Math.cos(0.2) * 1e9) / 1e9;
    expect(await groups('IMAGES', cosine - 2e-7)).toEqual([[0, 1]]);
    expect(await groups('IMAGES', cosine + 2e-7)).toEqual([]);
  });

  it('have the similarity of their model, and copies none', async () => {
    const cosine = Math.round(Math.cos(0.2) * 1e9) / 1e9;
    const cache = new DuplicateGroupsCache(store, 2 ** 20);
    const at = async (similarity: number, nearDuplicates: number): Promise<number> =>
      (await cache.open(of(table, nearDuplicates), 'IMAGES', similarity)).groups;
    expect([await at(0.95, cosine - 2e-7), await at(0.95, cosine + 2e-7)]).toEqual([1, 0]);
    expect([await at(0.8, 0.97), await at(0.99, 0.97)]).toEqual([1, 0]);
    expect((await cache.copies(table, 'IMAGES')).groups).toBe(0);
    expect((await cache.copies(table, 'OBJECTS')).groups).toBe(1);
  });

  it('are cached, and computed again after eviction', async () => {
    const roomy = new DuplicateGroupsCache(store, 2 ** 20);
    const found = await roomy.open(of(table), 'IMAGES', 0.9);
    expect(await roomy.open(of(table), 'IMAGES', 0.9)).toBe(found);
    expect(await roomy.open(of(table), 'IMAGES', 0.9000000001)).toBe(found);
    expect(roomy.bytes).toBeGreaterThan(found.bytes);
    // Those used last are kept, even if they are more than there is room for.
    const full = new DuplicateGroupsCache(store, 8);
    const first = await full.open(of(table), 'IMAGES', 0.9);
    expect(await full.open(of(table), 'IMAGES', 0.9)).toBe(first);
    const { bytes } = full;
    await full.open(of(table), 'IMAGES', 0.95);
    expect(full.bytes).toBeLessThanOrEqual(bytes);
    const again = await full.open(of(table), 'IMAGES', 0.9);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it.each([0.79, 0, -1, 1.01, Number.NaN])('are refused at %d, with the reason', async (similarity) => {
    await expect(groups('IMAGES', similarity)).rejects.toMatchObject({
      items: [
        {
          type: 'out_of_range',
          loc: ['query', 'duplicate_threshold'],
          msg: 'Near duplicates are stored from a similarity of 0.8 up. Use a value from 0.8 to 1.',
        },
      ],
    });
  });
});
