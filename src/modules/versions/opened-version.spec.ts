import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointerTo } from '../../../test/support/dataset-pointer';
import { firstRows } from '../../../test/support/first-rows';
import { folderStore } from '../../../test/support/folder-store';
import { DIMENSIONS, mediaRow, unitVector } from '../../../test/support/media-rows';
import type { KeywordQuery } from '../../common/engine/media-table/caption-index';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { tableVectors } from '../../common/engine/vectors/vector-source';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { CosineScan } from '../../common/engine/vectors/vector-matrix';
import { SimilarityScale } from './vectors/domain/similarity-scale';
import { SourceAnnotations } from './annotations/source-annotations';
import { ExploreIndexCache, loadExploreIndex } from './clusters/explore-index-cache';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import { OutcomeCache } from './evaluations/outcome-cache';
import { OpenedVersion, type VersionContent } from './opened-version';
import { TagAssignmentsCache } from './tags/tag-files';
import { VersionCaches } from './version-caches';

const ROWS = 40;
const folder = mkdtempSync(join(tmpdir(), 'opened-version-'));
const vectors = new VectorCache(2 ** 20);
let content: VersionContent;

const memory = { exploreCacheBytes: 2 ** 20 };
const refused = () => Promise.reject(new Error('There are no annotations of sources'));
const noAnnotations = new SourceAnnotations({ find: refused }, { read: refused, shapesOf: () => refused }, 0);
const cachesWith = (of: Pick<VectorCache, 'use' | 'prepare' | 'holdsColumn' | 'usage'>): VersionCaches =>
  new VersionCaches(
    memory,
    new ExploreIndexCache(2 ** 20),
    of,
    new TagAssignmentsCache({ read: () => Promise.resolve(new Map()) }, 2 ** 20),
    new DuplicateGroupsCache(folderStore(folder), 2 ** 20),
    noAnnotations,
    new OutcomeCache({ read: refused }, noAnnotations, 0),
  );

const texts: VersionContent['texts'] = {
  of: (_pointer, _table, { text }) =>
    Promise.resolve({
      vectors:
        text === ''
          ? []
          : [{ column: 'caption_embedding', vector: unitVector(text.length, 4), scale: SimilarityScale.PLAIN }],
    }),
};

const DOG: KeywordQuery = { kind: 'word', word: 'dog' };

const release = jest.spyOn(CosineScan.prototype, 'release');
const releasedScans = (): number => new Set(release.mock.contexts).size;

beforeAll(async () => {
  const store = new MediaTableStore({ uri: folder, storageOptions: {} });
  const rows = Array.from({ length: ROWS }, (_, row) =>
    mediaRow(row, { caption: `a dog ${row}`, captionEmbedding: unitVector(row, 4) }),
  );
  const table = await store.open(await store.create(randomUUID(), DIMENSIONS, [rows]));
  const pointer = pointerTo(table.at);
  content = { pointer, table, index: await loadExploreIndex(table), caches: cachesWith(vectors), texts };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const distancesOf = async (version: OpenedVersion, text: string): Promise<Float32Array> =>
  (await (await version.scanText({ text, by: 'caption' }))!.ranking()).approximate;

/** The distances of three scans, and the ranks of keywords. */
async function scanned(version: OpenedVersion): Promise<Float32Array[]> {
  const { ranks } = await version.keywordHits(DOG);
  const scans = await Promise.all([version.scanImages(unitVector(1)), version.scanImages(unitVector(2))]);
  return [...scans.map(({ distances }) => distances), await distancesOf(version, 'round'), ranks];
}

beforeEach(() => release.mockClear());

it('releases scans and ranks after the work', async () => {
  const work = async (): Promise<Float32Array[]> => {
    using version = new OpenedVersion(content);
    const made = await scanned(version);
    expect(made.map(({ length }) => length)).toEqual([ROWS, ROWS, ROWS, ROWS]);
    expect(await distancesOf(version, 'round')).toBe(made[2]);
    expect(await version.scanText({ text: '', by: 'caption' })).toBeUndefined();
    expect(releasedScans()).toBe(0);
    return made;
  };
  const scans = await work();
  await Promise.resolve();
  expect([releasedScans(), scans[3]!.length]).toEqual([3, 0]);
});

it('releases them if the work fails', async () => {
  let scans: Float32Array[] = [];
  const failing = async (): Promise<void> => {
    using version = new OpenedVersion(content);
    scans = await scanned(version);
    throw new Error('of this work');
  };
  await expect(failing()).rejects.toThrow('of this work');
  await Promise.resolve();
  expect([releasedScans(), scans[3]!.length]).toEqual([3, 0]);
});

it('releases a scan that finishes after the work', async () => {
  const version = new OpenedVersion(content);
  const late = version.scanImages(unitVector(3));
  version[Symbol.dispose]();
  await late;
  expect(releasedScans()).toBe(1);
});

it('reports the number of scanned rows while vectors are being read', async () => {
  const FIRST = 25;
  const reading: Parameters<typeof cachesWith>[0] = {
    usage: vectors.usage,
    prepare: () => undefined,
    holdsColumn: () => true,
    use: (table, column, use, patienceMs) =>
      patienceMs === undefined
        ? vectors.use(table, column, use)
        : vectors.useSource(`first of ${column}`, firstRows(tableVectors(table, column), FIRST), use),
  };
  using version = new OpenedVersion({ ...content, caches: cachesWith(reading) });
  await version.scanImages(unitVector(1));
  expect(version.scannedRows).toBe(ROWS);
  const scan = await version.scanImages(unitVector(1), { patienceMs: 0 });
  expect([scan.distances.length, version.scannedRows]).toEqual([ROWS, FIRST]);
  const { approximate } = await (await version.scanText(
    { text: 'round', by: 'caption' },
    { patienceMs: 0 },
  ))!.ranking();
  expect([...approximate].map((distance) => distance < Infinity)).toEqual(
    Array.from({ length: ROWS }, (_, row) => row < FIRST),
  );
});
