import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { restoreBackup } from '../../../src/maintenance/backup/restore-backup';
import type { Finding } from '../../../src/maintenance/verify/contents';
import { verifyInstallation } from '../../../src/maintenance/verify/verify-installation';
import { DatasetReader } from '../../../src/modules/datasets';
import { ApiClient, filesForm } from '../../support/api-client';
import { emptyPlace, type EmptyPlace } from '../../support/backed-up';
import { ExportClient } from '../../support/export-client';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { appSchema, startTestApp, type TestApp } from '../../support/test-app';

/** Created by `make.mjs` there, which defines the expected content. */
const RELEASES = resolve(__dirname, '..', '..', 'fixtures', 'releases');
const releases = readdirSync(RELEASES).filter((name) => name.endsWith('.tar.gz'));

interface Named {
  readonly id: string;
  readonly name: string;
}

describe.each(releases)('data of release %s', (release) => {
  let place: string;
  let there: EmptyPlace;
  let app: TestApp;
  let api: ApiClient;
  let snapshots: SnapshotClient;
  let indexed: string;
  let uploaded: string;

  const select = (id: string, query: string): Promise<string[]> => snapshots.mediaIds(id, query);

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'dms-release-'));
    execFileSync('tar', ['-xzf', join(RELEASES, release), '-C', place]);
    const secretKey = (await readFile(join(place, 'secret.key'), 'utf8')).trim();
    there = await emptyPlace(secretKey);
    await restoreBackup({ configuration: there.configuration, schema: appSchema, place, print: () => undefined });
    const variables = { DATA_DIR: join(there.folder, 'data'), SECRET_KEY: secretKey };
    app = await startTestApp(variables, undefined, () => Promise.resolve(there.database.url));
    api = new ApiClient(app.url);
    snapshots = new SnapshotClient(api);
  });

  afterAll(async () => {
    await app.close();
    await there.remove();
    await rm(place, { recursive: true, force: true });
  });

  it('is complete after the upgrade', async () => {
    const datasets = await api.must<{ id: string; display_name: string }[]>(200, 'GET', '/api/v1/datasets');
    const idOf = (name: string): string => datasets.find((each) => each.display_name === name)!.id;
    [indexed, uploaded] = [idOf('Indexed'), idOf('Uploaded')];
    expect(await snapshots.dataset(indexed)).toMatchObject({ status_new: 'PARTIAL INDEX', n_images: 6 });
    expect(await snapshots.dataset(uploaded)).toMatchObject({ status_new: 'READY', n_images: 3 });
    expect(await snapshots.tags(indexed)).toMatchObject([{ name: 'chosen', n_items: 2 }]);
    expect((await snapshots.list(indexed)).map((each) => each.snapshot_name)).toContain('before more');
    const { views } = await api.must<{ views: Named[] }>(200, 'GET', `/api/v1/dataset/${indexed}/views`);
    expect(views.map(({ name }) => name)).toEqual(['discs']);
    const { pointer } = (await app.app.get(DatasetReader).find(indexed))!;
    expect(pointer).toMatchObject({ nearDuplicates: 0.95 });
  });

  it('can be searched by labels, captions, tags and pictures', async () => {
    expect(await select(indexed, 'labels=["disc"]')).toHaveLength(2);
    expect(await select(indexed, 'entity_type=IMAGES&caption=something')).not.toEqual([]);
    const [tag] = await snapshots.tags(indexed);
    expect(await snapshots.taggedWith(indexed, tag!)).toHaveLength(2);
    const [first] = await select(uploaded, '');
    expect(
      (await select(uploaded, `entity_type=IMAGES&anchor_media_id=${first}&anchor_type=MEDIA`)).length,
    ).toBeGreaterThan(0);
    const [preview] = await snapshots.previews(uploaded);
    expect((await fetch(preview!.media_uri)).status).toBe(200);
    expect((await fetch(preview!.media_thumb_uri)).status).toBe(200);
  });

  it('has sources that can be changed, while its snapshots stay as they were', async () => {
    const { sources } = await api.must<{ sources: { name: string; n_labels: number }[] }>(
      ...([200, 'GET', `/api/v1/dataset/${indexed}/annotation_sources`] as const),
    );
    expect(sources.map(({ name }) => name)).toContain('ground_truth');
    expect(sources.find(({ name }) => name === 'ground_truth')!.n_labels).toBeGreaterThan(0);
    const { snapshot_id: snapshot } = (await snapshots.list(indexed)).find(
      (each) => each.snapshot_name === 'before more',
    )!;
    const path = `/api/v1/dataset/${indexed}/annotations`;
    const before = await api.must<{ total: number }>(200, 'GET', `${path}?snapshot_id=${snapshot}`);
    expect(before.total).toBeGreaterThan(0);
    const [disc, other] = await select(indexed, 'labels=["disc"]');
    const { annotations } = await api.must<{ annotations: { id: string }[] }>(
      ...([200, 'GET', `${path}?media_id=${disc}&label=disc`] as const),
    );
    const changed = [{ media_id: disc, id: annotations[0]!.id, label: 'ring' }];
    await api.must(200, 'POST', path, { source: 'ground_truth', mode: 'merge', annotations: changed });
    expect(await select(indexed, 'labels=["ring"]')).toEqual([disc]);
    expect(await select(indexed, 'labels=["disc"]')).toEqual([other]);
    expect(await api.must(200, 'GET', `${path}?snapshot_id=${snapshot}`)).toEqual(before);
    const { annotations: differing } = await snapshots.diff(indexed, snapshot);
    expect(differing).toMatchObject([{ source: 'ground_truth', added: 0, changed: 1, removed: 0 }]);
    const { id: clone } = await snapshots.clone(indexed, snapshot);
    const cloned = await api.must<{ total: number }>(200, 'GET', `/api/v1/dataset/${clone}/annotations`);
    expect(cloned.total).toBe(before.total);
  });

  const map = (id: string): Promise<object> => api.must(200, 'GET', `/api/v1/dataset/${id}/map`);

  it('has no map', async () => {
    expect(await map(indexed)).toMatchObject({ total_media: 6, placed_media: 0 });
    expect(await map(uploaded)).toMatchObject({ total_media: 3, placed_media: 0 });
  });

  it('can be added to, reindexed, restored and exported', async () => {
    const more = filesForm([{ name: 'after.jpg', bytes: await pictureBytes(77) }]);
    await api.must(202, 'POST', `/api/v1/dataset/${uploaded}/add_media`, more);
    await api.untilStatus(uploaded, ['PARTIAL INDEX']);
    expect(await map(uploaded)).toMatchObject({ total_media: 4, placed_media: 0 });
    for (const id of [uploaded, indexed]) {
      await api.must(202, 'POST', `/api/v1/dataset/${id}/reindex`);
      await api.untilStatus(id, ['READY']);
    }
    expect(await select(uploaded, '')).toHaveLength(4);
    expect(await map(uploaded)).toMatchObject({ total_media: 4, placed_media: 4 });
    expect(await select(indexed, 'labels=["ring"]')).toHaveLength(1);
    const before = (await snapshots.list(indexed)).find((each) => each.snapshot_name === 'before more')!;
    await snapshots.restore(indexed, before.snapshot_id);
    expect(await select(indexed, '')).toHaveLength(5);
    expect(await select(indexed, 'labels=["ring"]')).toEqual([]);
    expect(await select(indexed, 'labels=["disc"]')).toHaveLength(2);
    const exports = new ExportClient(api);
    await exports.untilCompleted(indexed, await exports.start(indexed, 'export_format=parquet'));
  });

  it('has nothing missing or damaged in its store', async () => {
    const found: Finding[] = [];
    const { configuration } = there;
    await verifyInstallation({
      configuration,
      quick: false,
      found: (each) => found.push(each),
      waiting: () => undefined,
    });
    expect(found.filter(({ kind }) => kind !== 'unreferenced')).toEqual([]);
  });
});
