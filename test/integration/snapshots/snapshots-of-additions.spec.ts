import { join } from 'node:path';
import { ApiClient, filesForm } from '../../support/api-client';
import { pictureBytes, writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

const PICTURES = 6;

describe('snapshots of datasets with additions', () => {
  const running = runningApp();
  let api: ApiClient;
  let client: SnapshotClient;
  let source: string;

  const add = async (id: string, ...seeds: number[]): Promise<void> => {
    const files = await Promise.all(
      seeds.map(async (seed) => ({ name: `added-${seed}.jpg`, bytes: await pictureBytes(seed) })),
    );
    await api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, filesForm(files));
    await api.untilStatus(id, ['PARTIAL INDEX']);
  };
  const reindex = async (id: string): Promise<void> => {
    await api.must(202, 'POST', `/api/v1/dataset/${id}/reindex`);
    await api.untilStatus(id, ['READY']);
  };
  const grown = async (id: string, before: readonly string[]): Promise<string[]> =>
    (await client.mediaIds(id)).filter((each) => !before.includes(each));

  beforeAll(async () => {
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    source = join(running.folder, 'source');
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i);
  });

  it('restore the state before an addition, with and without reindexing', async () => {
    const id = await client.indexed('Grown', source);
    const [creation] = await client.list(id);
    expect(creation).toMatchObject({ reason: 'creation', is_current: true, n_images: PICTURES });
    const before = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'old');
    await client.assign(id, tag, 'assign', before.slice(0, 2));
    const { snapshot_id: kept } = await client.keep(id);

    await add(id, 50, 51);
    expect(await grown(id, before)).toHaveLength(2);
    expect((await client.diff(id, kept)).added.count).toBe(2);
    await api.must(409, 'POST', client.pathOf(id));
    await client.restore(id, kept);
    expect(await client.mediaIds(id)).toEqual(before);

    await add(id, 52);
    await add(id, 53);
    expect(await client.mediaIds(id)).toEqual(expect.arrayContaining(before));
    expect(await grown(id, before)).toHaveLength(2);
    await client.assign(id, tag, 'assign', await grown(id, before));
    await reindex(id);
    const all = await client.mediaIds(id);
    const { snapshot_id: later } = await client.keep(id);
    const changes = await client.diff(id, kept);
    expect([...changes.added.media_ids].sort()).toEqual(await grown(id, before));
    expect(changes).toMatchObject({ removed: { count: 0 }, changed: { labels: { count: 0 }, tags: { count: 0 } } });

    await client.restore(id, kept);
    expect(await client.mediaIds(id)).toEqual(before);
    expect(await client.taggedWith(id, tag)).toEqual(before.slice(0, 2));
    await client.restore(id, later);
    expect(await client.mediaIds(id)).toEqual(all);
    expect(await client.taggedWith(id, tag)).toHaveLength(4);
  });

  it('can be cloned to datasets with their own additions', async () => {
    const id = await client.indexed('Parent', source);
    const before = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'mark');
    await client.assign(id, tag, 'assign', before.slice(0, 2));
    const { snapshot_id: kept } = await client.keep(id);
    const copy = await client.clone(id, kept);
    await add(copy.id, 60);
    expect(await client.mediaIds(id)).toEqual(before);
    await add(id, 61, 62);
    expect(await grown(id, before)).toHaveLength(2);
    expect(await grown(copy.id, before)).toHaveLength(1);
    for (const each of [id, copy.id]) expect(await client.taggedWith(each, tag)).toEqual(before.slice(0, 2));
    expect(await client.mediaIds(id, `snapshot_id=${kept}`)).toEqual(before);

    await reindex(copy.id);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    expect(await grown(copy.id, before)).toHaveLength(1);
    const [own] = await client.list(copy.id);
    await client.restore(copy.id, own!.snapshot_id);
    expect(await client.mediaIds(copy.id)).toEqual(before);
    await add(copy.id, 63);
    expect(await grown(copy.id, before)).toHaveLength(1);
  });
});
