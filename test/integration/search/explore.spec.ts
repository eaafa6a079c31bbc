import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { CARD_FIELDS } from '../../../src/common/engine/media-table/row-card';
import type { MediaTable } from '../../../src/common/engine/media-table/media-table';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { tableVectors, type VectorColumn } from '../../../src/common/engine/vectors/vector-source';
import { VectorCache, type ScannableVectors } from '../../../src/common/engine/vectors/vector-cache';
import type { DatasetPointer } from '../../../src/modules/datasets';
import { clusterId, parseClusterId } from '../../../src/modules/versions/clusters/domain/cluster-id';
import { ExploreIndexCache } from '../../../src/modules/versions/clusters/explore-index-cache';
import { PreviewCardCache, PreviewCards } from '../../../src/modules/versions/preview-cards';
import { presentExplore } from '../../../src/modules/search/explore/http/explore.presenter';
import { exploreParameters } from '../../../src/modules/search/query/http/search-parameters';
import { exploreResult, type ExploreResult } from '../../../src/modules/search/explore/http/search-result.schema';
import type { MediaUrls } from '../../../src/modules/search/media/signed-media-urls';
import { pointerTo } from '../../support/dataset-pointer';
import { firstRows } from '../../support/first-rows';
import { openSearch, type OpenedSearch } from '../../support/opened-search';
import { folderStore } from '../../support/folder-store';
import { DIMENSIONS, inBatches, mediaRow } from '../../support/media-rows';
import { waitUntil } from '../../support/wait-until';

const clusteringId = '5a7b1f6e-27c4-4a52-9b1e-9b7c5f0f2c11';
const urls: MediaUrls = {
  of: (rows) =>
    Promise.resolve(
      new Map(
        rows.map((row) => [
          row,
          {
            original: `https://media.test/original?${row.source}`,
            thumbnail: `https://media.test/thumbnail?${row.thumbnailKey}`,
          },
        ]),
      ),
    ),
};

/** Cluster 0: 12 dogs; 1: 5 cats; 2: a single car. At level 4, dogs and cats are one cluster. Then objects, a video and its frames. */
function collection(): MediaRow[] {
  const image = (seed: number, cluster: number, label: string): MediaRow =>
    mediaRow(seed, {
      labels: [label],
      caption: seed === 0 ? 'a dog on a beach' : null,
      clusters: [cluster, cluster, cluster, cluster, cluster === 2 ? 1 : 0],
    });
  const dogs = Array.from({ length: 12 }, (_, i) => image(i, 0, 'dog'));
  const cats = Array.from({ length: 5 }, (_, i) => image(20 + i, 1, 'cat'));
  const video = mediaRow(50, {
    kind: 'VIDEO',
    fileName: 'clip.mp4',
    source: 'store:clip.mp4',
    embedding: null,
    durationSeconds: 4,
    clusters: [-1, -1, -1, -1, -1],
  });
  const frames = [0, 2.5].map((frameTimestamp, i) =>
    mediaRow(60 + i, { kind: 'FRAME', parentId: video.id, frameTimestamp, clusters: [2, 2, 2, 2, 1] }),
  );
  const objects = [0, 1, 2].map((i) =>
    mediaRow(70 + i, {
      kind: 'OBJECT',
      parentId: dogs[0]!.id,
      box: { x: 0.25, y: 0.5, width: 0.125, height: 0.25 },
      labels: i === 2 ? [] : ['nose'],
      clusters: [0, 0, 0, 0, 0],
    }),
  );
  return [...dogs, ...cats, image(40, 2, 'it\'s a "car"'), video, ...frames, ...objects];
}

/** A cache in which only the first rows are loaded. */
class VectorsBeingRead extends VectorCache {
  readRows: number | undefined;

  override use<T>(
    table: MediaTable,
    column: VectorColumn,
    use: (vectors: ScannableVectors) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    if (patienceMs === undefined || this.readRows === undefined) return super.use(table, column, use, patienceMs);
    return this.useSource(`${this.readRows} rows`, firstRows(tableVectors(table, column), this.readRows), use);
  }
}

describe('exploring a dataset', () => {
  const folder = mkdtempSync(join(tmpdir(), 'explore-'));
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} }, { slabBytes: 4_000 });
  let pointer: DatasetPointer | null;
  let search: OpenedSearch;
  const vectors = new VectorsBeingRead(2 ** 24);

  const point = (at: { generation: string; version: number }) => {
    pointer = pointerTo(at, { clusteringId });
  };
  const explore = async (query: Record<string, string> = {}): Promise<ExploreResult> => {
    const asked = exploreParameters.parse(query);
    const found = await search.explore.search(search.state(), asked.query, asked.page, asked);
    const answer = await presentExplore({ found, asked, names: new Map() }, urls);
    return exploreResult.strict().parse(JSON.parse(answer.toString()));
  };
  const sizes = (result: ExploreResult) =>
    result.clusters.map((each) => each.n_images + each.n_frames + each.n_objects);

  beforeAll(async () => {
    search = await openSearch({
      tables,
      store: folderStore(folder),
      dataset: () => ({ pointer, status: 'READY' }),
      vectors,
    });
    point(await tables.create(randomUUID(), DIMENSIONS, inBatches(collection(), 5)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('returns images and frames by default, largest cluster first', async () => {
    const result = await explore();
    expect(sizes(result)).toEqual([12, 5, 3]);
    expect(result).toMatchObject({ total_pages: 1, current_page: 0, metadata: { used_duckdb: false } });
    expect(result.clusters[0]).toMatchObject({
      type: 'IMAGES',
      n_images: 12,
      n_frames: 0,
      n_objects: 0,
      n_videos: 0,
      similarity_threshold: '0',
      labels: { dog: 12 },
      user_tags: null,
      captions: ['a dog on a beach'],
      relevance_score: null,
      relevance_score_type: null,
      formed_by: 'SIMILARITY',
    });
    expect(result.clusters.map((each) => each.previews.length)).toEqual([9, 5, 3]);
    expect(result.clusters[1]!.captions).toBeNull();
  });

  it('returns the data of each preview', async () => {
    const [dogs] = (await explore()).clusters;
    const row = collection()[0]!;
    expect(dogs!.previews[0]).toEqual({
      type: 'IMAGE',
      media_id: row.id,
      media_uri: `https://media.test/original?${row.source}`,
      media_thumb_uri: `https://media.test/thumbnail?${row.thumbnailKey}`,
      caption: 'a dog on a beach',
      image_id: row.id,
      image_uri: `https://media.test/original?${row.source}`,
      bounding_box: null,
      file_name: 'image_0.jpg',
      original_uri: 'train/image_0.jpg',
      video_uri: '',
      frame_timestamp: null,
      labels: { dog: 1 },
      user_tags: null,
      relevance_score: null,
      relevance_score_type: null,
      width: 640,
      height: 480,
    });
  });

  it('returns the video and the time of frames', async () => {
    const mixed = (await explore()).clusters[2]!;
    expect(mixed).toMatchObject({ n_images: 1, n_frames: 2 });
    expect(mixed.previews.map((each) => [each.type, each.video_uri, each.frame_timestamp])).toEqual([
      ['IMAGE', '', null],
      ['IMAGE', 'https://media.test/original?store:clip.mp4', 0],
      ['IMAGE', 'https://media.test/original?store:clip.mp4', 2.5],
    ]);
  });

  it('joins clusters at coarser levels', async () => {
    const result = await explore({ threshold: '4' });
    expect(sizes(result)).toEqual([17, 3]);
    expect(result.clusters[0]).toMatchObject({ similarity_threshold: '4', labels: { dog: 12, cat: 5 } });
  });

  it('returns objects with their box, label and image', async () => {
    const { clusters } = await explore({ entity_type: 'OBJECTS', threshold: '2' });
    expect(clusters).toHaveLength(1);
    expect(clusters[0]).toMatchObject({ type: 'OBJECTS', n_objects: 3, n_images: 0 });
    expect(clusters[0]!.previews[0]).toMatchObject({
      type: 'OBJECT',
      label: 'nose',
      image_id: collection()[0]!.id,
      bounding_box: { x: 0.25, y: 0.5, width: 0.125, height: 0.25 },
    });
    expect(clusters[0]!.previews[2]).not.toHaveProperty('label');
  });

  it('returns one cluster and one preview per video', async () => {
    const { clusters } = await explore({ entity_type: 'VIDEOS' });
    expect(clusters).toHaveLength(1);
    expect(clusters[0]).toMatchObject({ type: 'VIDEOS', n_videos: 1, n_frames: 2, n_images: 0 });
    expect(clusters[0]!.previews).toMatchObject([
      { type: 'VIDEO', file_name: 'clip.mp4', video_uri: 'https://media.test/original?store:clip.mp4' },
    ]);
  });

  it.each([
    ['[cat]', [5]],
    ['["cat","dog"]', [12, 5]],
    ['[cat,unknown]', [5]],
    [JSON.stringify(['it\'s a "car"']), [1]],
    ["[' OR 1=1 --]", []],
    ['unlabeled', [2]],
    ['[unlabeled,cat]', [5, 2]],
    ['[]', [12, 5, 3]],
  ])('keeps what carries one of the labels %s', async (labels, expected) => {
    const result = await explore({ labels });
    expect(sizes(result)).toEqual(expected);
    expect(result.total_pages).toBe(expected.length === 0 ? 0 : 1);
  });

  it('returns the same cluster id for any filter, and finds the cluster by its id', async () => {
    const all = await explore({ threshold: '1' });
    const cats = await explore({ threshold: '1', labels: '[cat]' });
    expect(cats.clusters[0]!.cluster_id).toBe(all.clusters[1]!.cluster_id);
    expect(cats.clusters[0]!.cluster_id).toBe(clusterId(pointer!, { entityType: 'IMAGES', level: 1, cluster: 1 }));
    expect(parseClusterId(pointer!, cats.clusters[0]!.cluster_id)).toEqual({
      entityType: 'IMAGES',
      level: 1,
      cluster: 1,
    });
  });

  it('orders clusters and their media by a measure', async () => {
    const files = async (query: Record<string, string>) =>
      (await explore(query)).clusters.map(({ previews }) => previews.map(({ file_name: name }) => name));
    const nameOf = (seed: number): string => mediaRow(seed).fileName;
    // The file size increases with the row.
    const [first, second] = await files({ sort: '-file_size', labels: '[dog,cat]' });
    expect([first, second!.slice(0, 2)]).toEqual([[24, 23, 22, 21, 20].map(nameOf), [11, 10].map(nameOf)]);
    expect((await files({ sort: 'file_size' })).map(([name]) => name)).toEqual([0, 20, 40].map(nameOf));
    expect((await explore({ sort: 'file_size' })).clusters[0]).toMatchObject({ relevance_score: null });
  });

  it('ranks the loaded part on request, reports its share, and does not cache the result', async () => {
    const anchor = { anchor_media_id: mediaRow(23).id, anchor_type: 'MEDIA', entity_type: 'IMAGES' };
    const rows = collection().length;
    vectors.readRows = 12;
    const partial = await explore({ ...anchor, allow_partial: 'true' });
    // The anchor is found although its vector is not loaded yet.
    expect(sizes(partial).sort()).toEqual([1, 12]);
    expect(partial).toMatchObject({ partial: { searched: 12, total: rows }, total_pages: 1 });
    vectors.readRows = 14;
    expect((await explore({ ...anchor, allow_partial: 'true' })).partial).toEqual({ searched: 14, total: rows });
    const whole = await explore(anchor);
    expect([sizes(whole).sort(), whole.partial]).toEqual([[12, 3, 5], undefined]);
    expect(await explore({ ...anchor, allow_partial: 'true' })).toEqual(whole);
    vectors.readRows = undefined;
  });

  it('is empty beyond the last page', async () => {
    expect(await explore({ page_number: '7' })).toMatchObject({ clusters: [], total_pages: 1, current_page: 7 });
  });

  it('counts appended rows in their clusters', async () => {
    const before = pointer!;
    point(
      await tables.append(before, [
        [mediaRow(90, { labels: ['cat'], clusters: [1, 1, 1, 1, 0] }), mediaRow(91, { clusters: [0, 0, 0, 0, 0] })],
      ]),
    );
    expect(sizes(await explore())).toEqual([13, 6, 3]);
    expect(sizes(await explore({ labels: '[cat]' }))).toEqual([6]);
    point(before);
    expect(sizes(await explore())).toEqual([12, 5, 3]);
  });

  it('is empty before anything was published', async () => {
    const published = pointer;
    pointer = null;
    expect(await explore()).toEqual({
      clusters: [],
      metadata: { used_duckdb: false },
      total_pages: 0,
      current_page: 0,
    });
    pointer = published;
  });

  it('caches the cards of the table within a memory limit', async () => {
    const table = await tables.open(pointer!);
    const all = Array.from({ length: table.rows }, (_, row) => row);
    const cards = await PreviewCards.load(table);
    expect(all.map((row) => cards.of(row))).toEqual(await table.takeRows(all, CARD_FIELDS));
    // A small buffer from Node's pool would keep the whole pool alive, which the byte count does not include.
    const buffers = (cards as unknown as { slices: { bytes: Buffer }[] }).slices.map(({ bytes }) => bytes);
    for (const bytes of buffers) expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
    const cache = new PreviewCardCache(2 ** 20);
    await waitUntil(() => cache.get(table) !== undefined);
    expect(cache.bytes).toBe(cards.bytes);
    const small = new PreviewCardCache(100);
    expect([small.get(table), small.bytes]).toEqual([undefined, 0]);
  });

  it('serves concurrent requests from one load', async () => {
    const fresh = new ExploreIndexCache(2 ** 24);
    const table = await tables.open(pointer!);
    const indexes = await Promise.all(Array.from({ length: 8 }, () => fresh.open(table)));
    expect(new Set(indexes).size).toBe(1);
    expect(fresh.bytes).toBe(indexes[0]!.bytes);
  });
});
