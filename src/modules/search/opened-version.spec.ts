import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointerTo } from '../../../test/support/dataset-pointer';
import { firstRows } from '../../../test/support/first-rows';
import { DIMENSIONS, mediaRow, unitVector } from '../../../test/support/media-rows';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { tableVectors } from '../../common/engine/vectors/table-vectors';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { CosineScan } from '../../common/engine/vectors/vector-matrix';
import { SimilarityScale } from './domain/similarity-scale';
import { parseKeywords } from './domain/query/parse-keywords';
import { loadExploreIndex } from './explore-index-loader';
import { MapParts } from './map/map-parts';
import { loadFolders, loadMeasures } from './measure-columns-loader';
import { MetadataColumns } from './metadata-columns';
import { OpenedVersion, type VersionContent, type VersionParts } from './opened-version';
import { DuplicateGroups } from './duplicates/domain/duplicate-groups';
import { TagAssignments } from './tags/domain/tag-assignments';

const ROWS = 40;
const folder = mkdtempSync(join(tmpdir(), 'opened-version-'));
const vectors = new VectorCache(2 ** 20);
let content: VersionContent;

const parts: VersionParts = {
  cards: () => undefined,
  measures: loadMeasures,
  folders: loadFolders,
  metadata: new MetadataColumns(2 ** 20),
  map: new MapParts(2 ** 20),
  tags: () => Promise.resolve(TagAssignments.none),
  duplicates: (table) => Promise.resolve(DuplicateGroups.none(table.rows)),
  prepareVectors: () => undefined,
  useVectors: (table, column, use, patienceMs) => vectors.use(table, column, use, patienceMs),
  nearestIndex: () => Promise.resolve(undefined),
  textVectors: (_pointer, _table, text) =>
    Promise.resolve(
      text === ''
        ? []
        : [{ column: 'caption_embedding', vector: unitVector(text.length, 4), scale: SimilarityScale.PLAIN }],
    ),
};

function keywords() {
  const query = parseKeywords('dog');
  if (query.kind === 'error') throw new Error(query.message);
  return query;
}

const release = jest.spyOn(CosineScan.prototype, 'release');
const releasedScans = (): number => new Set(release.mock.contexts).size;

beforeAll(async () => {
  const store = new MediaTableStore({ uri: folder, storageOptions: {} });
  const rows = Array.from({ length: ROWS }, (_, row) =>
    mediaRow(row, { caption: `a dog ${row}`, captionEmbedding: unitVector(row, 4) }),
  );
  const table = await store.open(await store.create(randomUUID(), DIMENSIONS, [rows]));
  const pointer = pointerTo(table.at);
  content = { pointer, table, index: await loadExploreIndex(table), parts };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const distancesOf = async (version: OpenedVersion, text: string): Promise<Float32Array> =>
  (await (await version.scanText(text))!.ranking()).approximate;

/** The distances of three scans, and the ranks of keywords. */
async function scanned(version: OpenedVersion): Promise<Float32Array[]> {
  const { ranks } = await version.keywordHits(keywords());
  const scans = await Promise.all([version.scanImages(unitVector(1)), version.scanImages(unitVector(2))]);
  return [...scans.map(({ distances }) => distances), await distancesOf(version, 'round'), ranks];
}

beforeEach(() => release.mockClear());

it('releases scans and ranks after the work', async () => {
  const scans = await OpenedVersion.use(content, async (version) => {
    const made = await scanned(version);
    expect(made.map(({ length }) => length)).toEqual([ROWS, ROWS, ROWS, ROWS]);
    expect(await distancesOf(version, 'round')).toBe(made[2]);
    expect(await version.scanText('')).toBeUndefined();
    expect(releasedScans()).toBe(0);
    return made;
  });
  await Promise.resolve();
  expect([releasedScans(), scans[3]!.length]).toEqual([3, 0]);
});

it('releases them if the work fails', async () => {
  let scans: Float32Array[] = [];
  const failing = OpenedVersion.use(content, async (version) => {
    scans = await scanned(version);
    throw new Error('of this work');
  });
  await expect(failing).rejects.toThrow('of this work');
  await Promise.resolve();
  expect([releasedScans(), scans[3]!.length]).toEqual([3, 0]);
});

it('releases a scan that finishes after the work', async () => {
  let late: Promise<CosineScan> | undefined;
  await OpenedVersion.use(content, (version) => {
    late = version.scanImages(unitVector(3));
    return Promise.resolve();
  });
  await late;
  expect(releasedScans()).toBe(1);
});

it('tells how many rows were scanned while vectors are being read', async () => {
  const FIRST = 25;
  const reading: VersionParts = {
    ...parts,
    useVectors: (table, column, use, patienceMs) =>
      patienceMs === undefined
        ? vectors.use(table, column, use)
        : vectors.useSource(`first of ${column}`, firstRows(tableVectors(table, column), FIRST), use),
  };
  await OpenedVersion.use({ ...content, parts: reading }, async (version) => {
    await version.scanImages(unitVector(1));
    expect(version.scannedRows).toBe(ROWS);
    const scan = await version.scanImages(unitVector(1), { patienceMs: 0 });
    expect([scan.distances.length, version.scannedRows]).toEqual([ROWS, FIRST]);
    const { approximate } = await (await version.scanText('round', { patienceMs: 0 }))!.ranking();
    expect([...approximate].map((distance) => distance < Infinity)).toEqual(
      Array.from({ length: ROWS }, (_, row) => row < FIRST),
    );
  });
});
