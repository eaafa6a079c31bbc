import { randomUUID } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { DatasetReader, GenerationRepository } from '../../../src/modules/datasets';
import { DatasetStates } from '../../../src/modules/datasets/for-operations';
import { GenerationSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { MediaSweep } from '../../../src/modules/ingestion/sweeps/media.sweep';
import { PublishedStateReader } from '../../../src/modules/versions';
import { TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { SnapshotClient, type MediaList } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1000;
const PICTURES = 6;

const NOTHING: MediaList = { count: 0, media_ids: [] };

const withoutAddresses = (key: string, value: unknown): unknown => (key.endsWith('_uri') ? undefined : value);

describe('snapshots', () => {
  const running = runningApp();
  let api: ApiClient;
  let client: SnapshotClient;
  let source: string;

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    running.database.dataSource.query<Row[]>(text, values);
  const indexed = (name: string): Promise<string> => client.indexed(name, source);

  /** Publishes another table for a dataset, as an operation would; `change` maps the existing rows. */
  const republish = async (id: string, change: (rows: MediaRow[]) => MediaRow[]): Promise<void> => {
    const [tables, generations] = [running.app.get(MediaTableStore), running.app.get(GenerationRepository)];
    const datasets = running.app.get(DatasetReader);
    const { pointer, counts, thumbnailKey } = (await datasets.find(id))!;
    const table = await tables.open(pointer!);
    const rows: MediaRow[] = [];
    for await (const batch of table.readRows()) rows.push(...batch);
    const changed = change(rows);
    const generation = randomUUID();
    const { clusteringId, objectClusteringId, modelId, textModelId, ladder, nearDuplicates, enrichments } = pointer!;
    await generations.insert({
      ...{ id: generation, writerTaskId: id, ownerDatasetId: id },
      ...{ clusteringId, objectClusteringId, modelId, textModelId, ladder, nearDuplicates, enrichments },
    });
    const written = await tables.create(generation, table.dimensions, [changed]);
    await running.app.get(TransactionRunner).run(async () => {
      await datasets.lock(id);
      const grown = { ...counts, images: changed.length };
      const published = { ...written, counts: grown, thumbnailKey, tagsFile: null };
      await running.app.get(DatasetStates).show(id, { table: published });
    });
  };

  beforeAll(async () => {
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    source = join(running.folder, 'source');
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i);
    await writeFile(
      join(source, 'image_annotations.csv'),
      'filename,label,caption\n0.jpg,disc,a round disc\n1.jpg,disc,\n2.jpg,,a square\n',
    );
  });

  it('are read in one statement including the names of their tags, like the current state', async () => {
    const id = await indexed('Read');
    const tag = await client.makeTag(id, 'red');
    await client.assign(id, tag, 'assign', (await client.mediaIds(id)).slice(0, 1));
    const { snapshot_id: kept } = await client.keep(id);
    await api.must(200, 'PATCH', `/api/v1/dataset/${id}/tags/${tag.id}`, { name: 'crimson' });
    const { pointer } = await running.app.get(DatasetReader).get(id);
    const states = running.app.get(PublishedStateReader);
    const state = { datasetId: id, pointer, status: 'READY' };
    expect(await states.get(id)).toEqual({ ...state, tagNames: new Map([[tag.id, 'crimson']]) });
    expect(await states.get(id, kept)).toEqual({ ...state, tagNames: new Map([[tag.id, 'red']]) });

    const runner = Object.getPrototypeOf(running.database.dataSource.createQueryRunner()) as QueryRunner;
    const query = jest.spyOn(runner, 'query');
    const statements = async (parameters: string): Promise<unknown[]> => {
      query.mockClear();
      await api.must(200, 'GET', `/api/v1/explore/${id}?${parameters}`);
      return query.mock.calls.filter(([, values]) => (values as unknown[] | undefined)?.includes(id));
    };
    expect(await statements('threshold=3')).toHaveLength(2);
    expect(await statements(`threshold=3&snapshot_id=${kept}`)).toHaveLength(2);
    query.mockRestore();
  });

  it('are named, listed newest first, and one of them is current', async () => {
    const id = await indexed('Named');
    const first = await client.keep(id);
    expect(first).toMatchObject({ is_current: true, is_restoring: false, n_images: PICTURES, reason: 'manual' });
    expect(first.snapshot_name).toBe(`Named_snapshot_${first.snapshot_id}`);
    const second = await client.keep(id, 'second');
    const [newest, older] = await client.list(id);
    expect(newest).toEqual(second);
    expect(older).toEqual({ ...first, is_current: false });
    await api.must(409, 'DELETE', client.pathOf(id, `/${second.snapshot_id}`));
    await api.must(200, 'DELETE', client.pathOf(id, `/${first.snapshot_id}`));
    expect((await client.list(id)).map((each) => each.snapshot_id)).not.toContain(first.snapshot_id);
    for (const [method, rest] of [
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/clone'],
      ['GET', '/diff'],
    ] as const)
      await api.must(404, method, client.pathOf(id, `/${first.snapshot_id}${rest}`));
  });

  it('restore media, labels, captions, tags and the names of tags', async () => {
    const id = await indexed('Restored');
    const before = await client.mediaIds(id);
    const [red, blue] = [await client.makeTag(id, 'red'), await client.makeTag(id, 'blue')];
    await client.assign(id, red, 'assign', before.slice(0, 2));
    await client.assign(id, blue, 'assign', before.slice(2, 3));
    const tagged = await client.tags(id);
    const explored = await client.previews(id);
    const kept = await client.keep(id, 'tagged');

    await api.must(200, 'PATCH', `/api/v1/dataset/${id}/tags/${red.id}`, { name: 'crimson' });
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}/tags/${blue.id}`);
    const green = await client.makeTag(id, 'blue');
    await client.assign(id, red, 'unassign', before.slice(0, 1));
    await client.assign(id, green, 'assign', before.slice(4));
    await republish(id, (rows) => rows.slice(1).map((row) => ({ ...row, labels: [], caption: null })));
    expect(await client.mediaIds(id)).toHaveLength(PICTURES - 1);
    expect((await client.dataset(id)).n_images).toBe(PICTURES - 1);
    const changed = await client.keep(id, 'changed');

    await client.restore(id, kept.snapshot_id);
    expect(await client.tags(id)).toEqual(tagged);
    expect(await client.taggedWith(id, red)).toEqual(before.slice(0, 2));
    expect(JSON.stringify(await client.previews(id), withoutAddresses)).toBe(
      JSON.stringify(explored, withoutAddresses),
    );
    expect(await client.dataset(id)).toMatchObject({ n_images: PICTURES, progress: 100, fatal_error_msg: null });
    expect((await client.list(id)).find((each) => each.is_current)?.snapshot_id).toBe(kept.snapshot_id);
    expect(await client.tasks(id, 'SNAPSHOT_RESTORE')).toMatchObject([
      { status: 'COMPLETED', progress_percentage: 100 },
    ]);

    await client.restore(id, changed.snapshot_id);
    expect(await client.mediaIds(id)).toHaveLength(PICTURES - 1);
    expect((await client.tags(id)).map(({ name }) => name)).toEqual(['blue', 'crimson']);
    await client.restore(id, 'current');
    expect((await client.list(id)).find((each) => each.is_current)?.snapshot_id).toBe(changed.snapshot_id);
  });

  it('can be queried by explore, clusters, facets and details after later changes', async () => {
    const id = await indexed('Browsed');
    const before = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'then');
    await client.assign(id, tag, 'assign', [before[0]!]);
    const { snapshot_id: kept } = await client.keep(id);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}/tags/${tag.id}`);
    await republish(id, (rows) => rows.filter((row) => row.id !== before[0]));
    const query = `snapshot_id=${kept}`;
    expect(await client.mediaIds(id)).toEqual(before.slice(1));
    expect(await client.mediaIds(id, query)).toEqual(before);
    expect(await client.taggedWith(id, tag, query)).toEqual([before[0]]);
    expect(await client.taggedWith(id, tag)).toEqual([]);
    const facets = await api.must<{ total: number; tags: unknown }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/facets?${query}`,
    );
    expect(facets).toMatchObject({ total: PICTURES, tags: [{ id: tag.id, name: 'then', count: 1 }] });
    const detail = `/api/v1/dataset/${id}/media/${before[0]!}`;
    await api.must(404, 'GET', detail);
    expect(await api.must(200, 'GET', `${detail}?${query}`)).toMatchObject({
      media_id: before[0],
      user_tags: { [tag.id]: { name: 'then' } },
    });
    const { clusters } = await api.must<{ clusters: { cluster_id: string }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?${query}&tags=[${tag.id}]`,
    );
    const members = `/api/v1/explore/${id}/clusters/${clusters[0]!.cluster_id}?${query}`;
    expect(await api.must(200, 'GET', members)).toMatchObject({ total: 1, members: [{ media_id: before[0] }] });
    await sql("UPDATE dataset SET status_new = 'READ ONLY' WHERE id = $1", [id]);
    const look = `entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id=${before[0]!}`;
    expect(await client.mediaIds(id, `${query}&${look}`)).toContain(before[0]);
    await api.must(409, 'GET', `/api/v1/explore/${id}?${look}`);
    await sql("UPDATE dataset SET status_new = 'READY' WHERE id = $1", [id]);
  });

  it('differ by media, labels, captions and tags', async () => {
    const id = await indexed('Compared');
    const before = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'mark');
    await client.assign(id, tag, 'assign', [before[0]!, before[5]!]);
    const first = await client.keep(id);
    expect(await client.diff(id, first.snapshot_id)).toMatchObject({
      ...{ added: NOTHING, removed: NOTHING },
      changed: { labels: NOTHING, tags: NOTHING, captions: NOTHING },
    });
    await client.assign(id, tag, 'unassign', [before[0]!]);
    await client.assign(id, tag, 'assign', [before[1]!]);
    const tagsOnly = await client.diff(id, first.snapshot_id);
    expect(tagsOnly.changed.tags.count).toBe(2);
    expect([...tagsOnly.changed.tags.media_ids].sort()).toEqual(before.slice(0, 2));
    const fresh = randomUUID();
    await republish(id, (rows) => [
      ...rows
        .filter((row) => row.id !== before[1])
        .reverse()
        .map((row) => ({
          ...row,
          labels: row.id === before[2] ? ['b', 'new', ...row.labels] : row.labels,
          caption: row.id === before[3] ? 'said anew' : row.caption,
        })),
      { ...rows[0]!, id: fresh },
    ]);
    const second = await client.keep(id);
    const forward = await client.diff(id, first.snapshot_id, `against=${second.snapshot_id}`);
    expect(forward).toMatchObject({
      added: { count: 1, media_ids: [fresh] },
      removed: { count: 1, media_ids: [before[1]] },
      changed: {
        labels: { count: 1, media_ids: [before[2]] },
        captions: { count: 1, media_ids: [before[3]] },
        tags: { count: 2 },
      },
    });
    expect([...forward.changed.tags.media_ids].sort()).toEqual([before[0], before[5]]);
    expect(await client.diff(id, first.snapshot_id)).toEqual({ ...forward, against: null });
    const backward = await client.diff(id, second.snapshot_id, `against=${first.snapshot_id}`);
    expect(backward).toMatchObject({ added: forward.removed, removed: forward.added });
    const pages = await Promise.all(
      [0, 1, 2].map((offset) => client.diff(id, first.snapshot_id, `limit=1&offset=${offset}`)),
    );
    expect(pages.map(({ changed }) => changed.tags.media_ids)).toEqual([
      [forward.changed.tags.media_ids[0]],
      [forward.changed.tags.media_ids[1]],
      [],
    ]);
  });

  it('can be cloned to independent datasets', async () => {
    const id = await indexed('Original');
    const media = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'shared');
    await client.assign(id, tag, 'assign', media.slice(0, 2));
    const { snapshot_id: kept } = await client.keep(id, 'to clone');
    const [one, two] = [await client.clone(id, kept), await client.clone(id, kept)];
    for (const copy of [one, two]) {
      expect(copy).toMatchObject({
        ...{ display_name: 'Original (cloned)', source_dataset_id: id, status_new: 'READY' },
        ...{ n_images: PICTURES, progress: 100 },
      });
      expect(await client.mediaIds(copy.id)).toEqual(media);
      expect(await client.taggedWith(copy.id, tag)).toEqual(media.slice(0, 2));
      expect(await client.list(copy.id)).toMatchObject([{ reason: 'clone', is_current: true, n_images: PICTURES }]);
      expect(await client.tasks(copy.id, 'SNAPSHOT_CLONE')).toMatchObject([{ status: 'COMPLETED' }]);
    }
    expect(await client.dataset(id)).toMatchObject({ status_new: 'READY', display_name: 'Original' });
    expect(await client.tasks(id, 'SNAPSHOT_CLONE')).toEqual([]);

    await client.assign(one.id, tag, 'assign', media);
    await api.must(200, 'PATCH', `/api/v1/dataset/${one.id}/tags/${tag.id}`, { name: 'of the clone' });
    await republish(two.id, (rows) => rows.slice(2));
    await client.assign(id, tag, 'unassign', media.slice(0, 1));
    expect(await client.taggedWith(one.id, tag)).toEqual(media);
    expect(await client.taggedWith(id, tag)).toEqual([media[1]]);
    expect((await client.tags(id)).map(({ name }) => name)).toEqual(['shared']);
    expect((await client.tags(two.id)).map(({ name }) => name)).toEqual(['shared']);
    expect(await client.mediaIds(id)).toEqual(media);
    expect(await client.mediaIds(one.id)).toEqual(media);

    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    await sweepAll();
    expect(await client.mediaIds(one.id)).toEqual(media);
    for (const { media_thumb_uri: thumbnail } of await client.previews(one.id))
      expect((await fetch(thumbnail)).status).toBe(200);
    const [own] = await client.list(two.id);
    await client.restore(two.id, own!.snapshot_id);
    expect(await client.mediaIds(two.id)).toEqual(media);
    expect(await client.taggedWith(two.id, tag)).toEqual(media.slice(0, 2));

    const tables = (): Promise<unknown[]> => sql('SELECT 1 FROM generation WHERE owner_dataset_id = $1', [id]);
    expect(await tables()).toHaveLength(1);
    for (const { id: copy } of [one, two]) await api.must(204, 'DELETE', `/api/v1/dataset/${copy}`);
    await sweepAll();
    expect(await tables()).toEqual([]);
  });

  /** Runs the sweeps as if days had passed. */
  const sweepAll = async (): Promise<void> => {
    const store = join(running.folder, 'data', 'store');
    const then = new Date(Date.now() - 3 * DAY_MS);
    for (const prefix of ['thumbs', 'blobs']) {
      const entries = await readdir(join(store, prefix), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
    }
    for (const days of [0, 1]) {
      const now = new Date(Date.now() + days * DAY_MS);
      await running.app.get(GenerationSweep).sweep(now);
      await running.app.get(TagFileSweep).sweep(now);
      await running.app.get(MediaSweep).sweep(now);
    }
  };
});
