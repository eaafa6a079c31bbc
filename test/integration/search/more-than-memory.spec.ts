import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { FOUND_ROWS } from '../../../src/common/engine/media-table/nearest-index';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { cosineDistance } from '../../../src/common/engine/vectors/exact-distances';
import { bytesOfRows } from '../../../src/common/engine/vectors/quantised-rows';
import type { DatasetPointer } from '../../../src/modules/datasets';
import { clusterId } from '../../../src/modules/versions/clusters/domain/cluster-id';
import { cardReader } from '../../../src/common/engine/media-table/row-card';
import { presentExplore } from '../../../src/modules/search/explore/http/explore.presenter';
import { exploreParameters } from '../../../src/modules/search/query/http/search-parameters';
import { exploreResult } from '../../../src/modules/search/explore/http/search-result.schema';
import type { MediaUrls } from '../../../src/modules/search/media/signed-media-urls';
import { pointerTo } from '../../support/dataset-pointer';
import { folderStore } from '../../support/folder-store';
import { knownGroups } from '../../support/known-groups';
import { inBatches, mediaRow } from '../../support/media-rows';
import { openSearch, type OpenedSearch } from '../../support/opened-search';
import { waitUntil } from '../../support/wait-until';

const ROWS = 6_000;
const DIMENSION = 16;
const IN_A_CLUSTER = 20;
const known = knownGroups({ count: ROWS, dimension: DIMENSION, groups: 200, seed: 9 });
const vectorOf = (row: number): Float32Array => known.vectors.slice(row * DIMENSION, (row + 1) * DIMENSION);

const rows: readonly MediaRow[] = Array.from({ length: ROWS }, (_, row) => {
  const cluster = Math.floor(row / IN_A_CLUSTER);
  return mediaRow(row, {
    embedding: vectorOf(row),
    labels: row % 3 === 0 ? ['third'] : [],
    clusters: [cluster, cluster, cluster, cluster, cluster],
  });
});

/** The vectors exceed the memory limit. */
describe('a dataset with more vectors than fit into memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'more-than-memory-'));
  const bytes = bytesOfRows(ROWS, DIMENSION) - 1;
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} }, { searchedInMemoryBytes: bytes });
  const anchor = rows[1234]!.id;
  const datasetId = randomUUID();
  let pointer: DatasetPointer;
  let search: OpenedSearch;

  beforeAll(async () => {
    const dimensions = { embedding: DIMENSION, captionEmbedding: 4 };
    pointer = pointerTo(await tables.create(randomUUID(), dimensions, inBatches(rows, 2_000)));
    const store = folderStore(folder);
    search = await openSearch({ tables, store, dataset: () => ({ pointer, status: 'READY' }), vectorBytes: bytes });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const asked = (more: Record<string, string> = {}) =>
    exploreParameters.parse({ entity_type: 'IMAGES', anchor_media_id: anchor, anchor_type: 'MEDIA', ...more });
  const exact = (row: number): number => cosineDistance(vectorOf(1234), vectorOf(row), 0);
  const nearest = Array.from({ length: ROWS }, (_, row) => row).sort((a, b) => exact(a) - exact(b));

  it('loads its index while it is browsed', async () => {
    const other = new MediaTableStore({ uri: folder, storageOptions: {} }, { searchedInMemoryBytes: bytes });
    const dataset = () => ({ pointer, status: 'READY' }) as const;
    const browsed = await openSearch({ tables: other, store: folderStore(folder), dataset, vectorBytes: bytes });
    await browsed.explore.search(browsed.state(), { entityType: 'IMAGES', level: 0, filters: [] }, 0);
    const before = other.cacheBytes;
    // At least two bits per number.
    await waitUntil(() => other.cacheBytes >= before + (ROWS * DIMENSION) / 4);
  });

  it('is ranked by the index, and reports approximate results', async () => {
    const { query } = asked();
    const { clusters, cards, recall, partial } = await search.explore.search(search.state(), query, 0);
    const cardOf = cardReader(cards);
    expect(recall).toBeGreaterThan(0.9);
    expect(partial).toBeUndefined();
    expect(clusters[0]!.previews[0]).toMatchObject({ card: 0, score: 0 });
    expect(cardOf(0).id).toBe(anchor);
    const shown = clusters.slice(0, 20).map(({ cluster }) => cluster);
    const best = [...new Set(nearest.map((row) => Math.floor(row / IN_A_CLUSTER)))].slice(0, 20);
    expect(best.filter((cluster) => shown.includes(cluster)).length).toBeGreaterThanOrEqual(18);
    for (const { previews } of clusters.slice(0, 20))
      for (const { card, score } of previews)
        expect(score!).toBeCloseTo(exact(rows.findIndex(({ id }) => id === cardOf(card).id)), 6);
    expect(search.vectors.bytes).toBe(0);
    const urls: MediaUrls = {
      of: (shown) => Promise.resolve(new Map(shown.map((row) => [row, { original: '', thumbnail: '' }]))),
    };
    const found = await search.explore.search(search.state(), query, 0);
    const answer = await presentExplore({ found, asked: { query, page: 0 }, names: new Map() }, urls);
    expect(exploreResult.strict().parse(JSON.parse(answer.toString()))).toMatchObject({ approximate: true, recall });
  });

  it('is ranked exactly if filters leave few media', async () => {
    const { query } = asked({ labels: '[third]' });
    const { clusters, recall } = await search.explore.search(search.state(), query, 0);
    expect(recall).toBeUndefined();
    const expected = nearest.filter((row) => row % 3 === 0).map((row) => Math.floor(row / IN_A_CLUSTER));
    expect(clusters.map(({ cluster }) => cluster)).toEqual([...new Set(expected)].slice(0, clusters.length));
  });

  it('has all members of a cluster ordered', async () => {
    const id = clusterId(pointer, { entityType: 'IMAGES', level: 0, cluster: 7 });
    const { members, total, recall } = await search.members.page(search.state(), id, asked().query, {
      page: 0,
      limit: 50,
    });
    expect([total, recall]).toEqual([IN_A_CLUSTER, undefined]);
    const expected = nearest.filter((row) => Math.floor(row / IN_A_CLUSTER) === 7).map((row) => rows[row]!.id);
    expect(members.map(({ row }) => row.id)).toEqual(expected);
  });

  it('has matches counted without vectors', async () => {
    using version = await search.versions.openToBrowse(pointer);
    const found = await search.engine.rowsOf(datasetId, version, asked().query);
    expect([found.size, version.recall]).toEqual([ROWS, undefined]);
  });

  it('has similar media found, reported as approximate', async () => {
    const { media, recall } = await search.media.similar(search.state(), anchor, 20);
    expect(recall).toBeGreaterThan(0.9);
    const expected = nearest.slice(1, 21).map((row) => rows[row]!.id);
    expect(media.filter(({ row }) => expected.includes(row.id)).length).toBeGreaterThanOrEqual(18);
  });

  it('is searched completely by operations', async () => {
    const { query } = asked();
    using version = await search.versions.open(pointer);
    const { ranking } = await search.engine.select(datasetId, version, query);
    expect(ranking!.approximate.filter((distance) => distance < Infinity)).toHaveLength(ROWS);
    expect(version.recall).toBeUndefined();
    const scores = await ranking!.refine(Int32Array.from(nearest.slice(0, 500)));
    expect([...scores]).toEqual([...scores].sort((a, b) => a - b));
    using browsed = await search.versions.openToBrowse(pointer);
    const { ranking: approximate } = await search.engine.select(datasetId, browsed, query);
    expect(approximate!.approximate.filter((distance) => distance < Infinity)).toHaveLength(FOUND_ROWS);
  });
});
