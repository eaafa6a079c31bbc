import { mkdir, writeFile } from 'node:fs/promises';
import { LOCAL_ADMIN } from '../../../src/modules/workspaces/domain/workspace';
import { formOf } from '../../support/api-client';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: object;
  readonly stats: Record<string, number>;
  readonly total_results: number;
  readonly last_results: string | null;
  readonly evaluation_error: string | null;
}

interface Trend {
  readonly points: { timestamp: string; batch_id: string; count: number; cumulative: number }[];
  readonly total_results: number;
  readonly last_results: string | null;
}

interface Told {
  readonly notifications: {
    id: string;
    entity_id: string;
    dataset_id: string;
    metadata: Record<string, unknown>;
    read_at: string | null;
  }[];
  readonly total: number;
  readonly has_more: boolean;
}

describe('saved views', () => {
  const running = runningApp();
  const additions = new Additions(running);

  const write = async (name: string, seeds: readonly number[], annotations = ''): Promise<string> => {
    await mkdir(additions.place(name), { recursive: true });
    for (const seed of seeds) await writePicture(additions.place(name, `${seed}.jpg`), seed);
    await writeFile(additions.place(name, 'image_annotations.csv'), `filename,label,caption\n${annotations}`);
    return additions.place(name);
  };
  const indexed = async (name: string, seeds: readonly number[], annotations?: string): Promise<string> => {
    return additions.indexed(name, await write(name, seeds, annotations));
  };
  const save = (id: string, name: string, query: Readonly<Record<string, string>> = {}): Promise<View> =>
    additions.api.must(
      200,
      'POST',
      `/api/v1/dataset/${id}/views?${new URLSearchParams(query).toString()}`,
      formOf({ name }),
    );
  const views = async (id: string): Promise<Map<string, View>> => {
    const list = await additions.api.must<{ views: View[] }>(200, 'GET', `/api/v1/dataset/${id}/views`);
    return new Map(list.views.map((view) => [view.name, view]));
  };
  const trend = (id: string, view: string): Promise<Trend> =>
    additions.api.must(200, 'GET', `/api/v1/dataset/${id}/views/${view}/trend`);
  const told = (id: string): Promise<Told> => additions.api.must(200, 'GET', `/api/v1/notifications?dataset_id=${id}`);
  const evaluated = (): Promise<void> =>
    waitUntil(async () => {
      const [row] = await additions.sql<{ owed: string }>(
        `SELECT (SELECT count(*) FROM view_evaluation WHERE count IS NULL)
           + (SELECT count(*) FROM job_run WHERE type = 'evaluate-views' AND finished_at IS NULL) AS owed`,
      );
      return Number(row!.owed) === 0;
    });
  const add = async (id: string, folder: string, autoReindex = false): Promise<string> => {
    await additions.addFolder(id, folder, autoReindex);
    const { task_id: batch } = await additions.ended(id);
    await evaluated();
    return batch;
  };
  const vql = (...filters: object[]): { vql: string } => ({ vql: JSON.stringify(filters) });

  it('are evaluated for media added after their creation, and notify of matches', async () => {
    const id = await indexed('base', [0, 1, 2], '0.jpg,ball,a round ball\n');
    const all = await save(id, 'all');
    expect(all).toMatchObject({
      dataset_id: id,
      created_by: { user_id: LOCAL_ADMIN.id, email: LOCAL_ADMIN.email, name: LOCAL_ADMIN.name },
      filters: { entity_type: 'IMAGES', threshold: '0', caption: null, vql: [] },
      stats: { n_images: -1, n_objects: -1, n_video_frames: -1 },
      monitoring_enabled: true,
      alerting_enabled: true,
      total_results: 0,
      last_results: null,
      evaluation_error: null,
    });
    const labelled = await save(id, 'labelled', {
      labels: '[ball]',
      ...vql({ files: { op: 'ends_with', value: '.jpg' } }),
    });
    expect(labelled).toMatchObject({
      filters: {
        vql: [{ files: { op: 'ends_with', value: '.jpg' } }, { labels: { op: 'one_of', value: ['ball'] } }],
      },
    });
    await save(id, 'words', vql({ text: { op: 'fts', value: 'disc' } }));
    await save(id, 'duplicates', vql({ duplicates: { op: 'duplicates', value: 0.99 } }));
    await save(id, 'nothing', { labels: '[nowhere]' });
    await save(id, 'objects', { entity_type: 'OBJECTS' });
    const quiet = await save(id, 'quiet');
    expect(
      await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/views/${quiet.id}/alerting`, {
        request: { enabled: false },
      }),
    ).toEqual({ alerting_enabled: false });

    const folder = await write('more', [40, 41, 42], '40.jpg,ball,a flat disc\n41.jpg,disc,two discs\n');
    // A near duplicate of an earlier picture, alone in its batch.
    await writePicture(additions.place('more', 'copy.png'), 2);
    const batch = await add(id, folder);
    await save(id, 'late');

    const counts = Object.fromEntries([...(await views(id)).values()].map((view) => [view.name, view.total_results]));
    expect(counts).toMatchObject({ all: 4, labelled: 1, words: 2, nothing: 0, objects: 0, quiet: 4, late: 0 });
    const now = await views(id);
    expect(now.get('all')!.stats).toEqual({ n_images: 4, n_objects: 0, n_video_frames: 0 });
    expect(now.get('nothing')).toMatchObject({
      stats: { n_images: 0, n_objects: 0, n_video_frames: 0 },
      last_results: null,
    });
    expect(now.get('late')!.stats).toEqual({ n_images: -1, n_objects: -1, n_video_frames: -1 });
    expect(await trend(id, all.id)).toEqual({
      points: [{ timestamp: now.get('all')!.last_results, batch_id: batch, count: 4, cumulative: 4 }],
      total_results: 4,
      last_results: now.get('all')!.last_results,
    });
    expect((await trend(id, now.get('nothing')!.id)).points).toMatchObject([{ count: 0, cumulative: 0 }]);
    const { notifications, total } = await told(id);
    const matched = ['all', 'labelled', 'words', ...(counts['duplicates']! > 0 ? ['duplicates'] : [])];
    expect(notifications.map(({ metadata }) => metadata['view_name']).sort()).toEqual(matched.sort());
    expect(total).toBe(matched.length);
    expect(notifications.find(({ entity_id: view }) => view === all.id)).toEqual(
      expect.objectContaining({
        user_id: LOCAL_ADMIN.id,
        entity_type: 'saved_view',
        title: '',
        message: null,
        dataset_id: id,
        read_at: null,
        metadata: { batch_id: batch, is_alert: true, view_name: 'all', dataset_name: 'base', result_count: 4 },
      }),
    );
    for (const { id: view, total_results: count } of now.values()) {
      const { clusters } = await additions.api.must<{ clusters: { n_images: number }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/views/${view}/results?batch_id=${batch}`,
      );
      const shown = clusters.reduce((sum, cluster) => sum + cluster.n_images, 0);
      expect({ view, shown }).toEqual({ view, shown: view === now.get('late')!.id ? 4 : count });
    }
  });

  it('are evaluated once for a reindexed batch, and not for reindex, restore and sync without new media', async () => {
    const id = await indexed('auto', [0, 1, 2]);
    const view = await save(id, 'all');
    const first = await add(id, await write('auto-more', [50, 51]), true);
    expect((await trend(id, view.id)).points).toMatchObject([{ batch_id: first, count: 2, cumulative: 2 }]);
    const second = await add(id, await write('auto-again', [52]));
    await additions.reindex(id);
    await additions.ended(id);
    const [snapshot] = await additions.api.must<{ snapshot_id: string }[]>(
      200,
      'GET',
      `/api/v1/dataset/${id}/snapshot`,
    );
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/snapshot/${snapshot!.snapshot_id}/restore`);
    await additions.ended(id);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync`);
    await additions.ended(id);
    await evaluated();
    expect((await trend(id, view.id)).points).toMatchObject([
      { batch_id: first, count: 2, cumulative: 2 },
      { batch_id: second, count: 1, cumulative: 3 },
    ]);
  });

  it('are evaluated for media added by a sync', async () => {
    const id = await indexed('synced', [0, 1]);
    const view = await save(id, 'all');
    await writePicture(additions.place('synced', '60.jpg'), 60);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync`);
    const { task_id: batch } = await additions.ended(id);
    await evaluated();
    expect((await trend(id, view.id)).points).toMatchObject([{ batch_id: batch, count: 1, cumulative: 1 }]);
  });

  it('report why one could not be evaluated, and continue with the others', async () => {
    const id = await indexed('broken', [0, 1]);
    const broken = await save(id, 'broken');
    const sound = await save(id, 'sound');
    await additions.sql(`UPDATE saved_view SET search = jsonb_set(search, '{vql}', '[{"gone":{}}]') WHERE id = $1`, [
      broken.id,
    ]);
    await add(id, await write('broken-more', [70]));
    const now = await views(id);
    expect(now.get('broken')).toMatchObject({
      evaluation_error: expect.stringMatching(/are no longer valid/) as string,
      total_results: 0,
    });
    expect((await trend(id, broken.id)).points).toEqual([]);
    expect((await trend(id, sound.id)).points).toMatchObject([{ count: 1 }]);
    expect(now.get('sound')).toMatchObject({ evaluation_error: null, total_results: 1 });
    expect((await told(id)).total).toBe(1);
  });

  it('are deleted with their trend and notifications, and with their dataset', async () => {
    const id = await indexed('deleted', [0, 1]);
    const view = await save(id, 'all');
    const other = await save(id, 'other');
    await add(id, await write('deleted-more', [80]));
    const path = `/api/v1/dataset/${id}/views/${view.id}`;
    expect(await additions.api.must(200, 'DELETE', path)).toBeNull();
    expect(await additions.api.ask('GET', `${path}/trend`)).toMatchObject({ status: 404 });
    expect(await additions.sql('SELECT * FROM view_evaluation WHERE view_id = $1', [view.id])).toEqual([]);
    expect((await told(id)).notifications).toMatchObject([{ entity_id: other.id }]);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    expect(await additions.sql('SELECT * FROM saved_view WHERE dataset_id = $1', [id])).toEqual([]);
    expect(await additions.sql('SELECT * FROM notification WHERE dataset_id = $1', [id])).toEqual([]);
  });

  it('are copied to a clone on request, as if created there', async () => {
    const id = await indexed('cloned', [0, 1]);
    await save(id, 'all', vql({ files: { op: 'ends_with', value: '.jpg' } }));
    const quiet = await save(id, 'quiet');
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/views/${quiet.id}/alerting`, {
      request: { enabled: false },
    });
    await add(id, await write('cloned-more', [60]));
    await additions.reindex(id);
    await additions.ended(id);
    const client = new SnapshotClient(additions.api);
    const { snapshot_id: snapshot } = await client.keep(id);
    expect(await views((await client.clone(id, snapshot)).id)).toEqual(new Map());
    const clone = await client.clone(id, snapshot, '?with_views=true');
    const [before, carried] = [await views(id), await views(clone.id)];
    expect([...carried.keys()].sort()).toEqual(['all', 'quiet']);
    for (const [name, view] of carried) {
      expect(view).toMatchObject({
        dataset_id: clone.id,
        filters: before.get(name)!.filters,
        stats: { n_images: -1, n_objects: -1, n_video_frames: -1 },
        total_results: 0,
        last_results: null,
        monitoring_enabled: true,
        alerting_enabled: name === 'all',
      });
      expect((await trend(clone.id, view.id)).points).toEqual([]);
    }
    expect((await told(clone.id)).total).toBe(0);
    await add(clone.id, await write('cloned-again', [61, 62]));
    expect((await trend(clone.id, carried.get('quiet')!.id)).points).toMatchObject([{ count: 2, cumulative: 2 }]);
    expect((await told(clone.id)).total).toBe(1);
    expect((await views(id)).get('all')).toEqual(before.get('all'));
  });

  it('return 400 if a view is not monitored', async () => {
    const id = await indexed('unwatched', [0]);
    const view = await save(id, 'all');
    await additions.sql('UPDATE saved_view SET monitoring_enabled = false WHERE id = $1', [view.id]);
    const path = `/api/v1/dataset/${id}/views/${view.id}`;
    expect(await additions.api.ask('GET', `${path}/trend`)).toMatchObject({ status: 400 });
    const body = { request: { enabled: true } };
    expect(await additions.api.ask('POST', `${path}/alerting`, body)).toMatchObject({ status: 400 });
  });

  describe('in large numbers', () => {
    const SETTINGS = '/api/v1/admin/settings';
    const set = (key: string, value: number): Promise<unknown> =>
      additions.api.must(200, 'POST', SETTINGS, { key, value: String(value) });

    afterEach(async () => {
      for (const key of ['MAX_VIEWS_PER_USER', 'MAX_VIEWS_PER_DATASET', 'MAX_NOTIFICATIONS_PER_BATCH'])
        await additions.api.ask('DELETE', `${SETTINGS}?key=${key}`);
    });

    it('notify individually for some and once for the rest, after all are evaluated', async () => {
      await set('MAX_NOTIFICATIONS_PER_BATCH', 3);
      const id = await indexed('many', [0]);
      for (let at = 0; at < 30; at++) await save(id, `v${at}`);
      await save(id, 'nothing', { labels: '[nowhere]' });
      const batch = await add(id, await write('many-more', [60, 61]));
      const { notifications, total } = await told(id);
      expect(total).toBe(4);
      const rest = Array.from({ length: 10 }, (_, at) => `'v${at + 4}'`).join(', ');
      const expected = ['v0', 'v1', 'v2', 'v3'].map((name) => ({
        title: '',
        message: name === 'v3' ? `26 more views have new matches in this batch: ${rest}, and 16 more` : null,
        metadata: { view_name: name, dataset_name: 'many', result_count: 2, batch_id: batch, is_alert: true },
      }));
      expect([...notifications].reverse()).toMatchObject(expected);
      expect([...(await views(id)).values()].filter((view) => view.total_results === 2)).toHaveLength(30);
      await add(id, await write('many-again', [62]));
      expect((await told(id)).total).toBe(8);
      await set('MAX_NOTIFICATIONS_PER_BATCH', 0);
      await add(id, await write('many-all', [63]));
      expect((await told(id)).total).toBe(38);
    });

    it('are limited per user and per dataset', async () => {
      const id = await indexed('limited', [0]);
      const ask = async (name: string) => {
        const { status, body } = await additions.api.ask('POST', `/api/v1/dataset/${id}/views`, formOf({ name }));
        return { status, detail: (body as { detail?: string }).detail };
      };
      await set('MAX_VIEWS_PER_USER', 2);
      expect([(await ask('a')).status, (await ask('b')).status]).toEqual([200, 200]);
      expect(await ask('c')).toEqual({
        status: 409,
        detail: 'You have 2 saved views in this dataset, which is the limit for one user. Delete one first.',
      });
      await set('MAX_VIEWS_PER_USER', 0);
      await set('MAX_VIEWS_PER_DATASET', 2);
      expect(await ask('c')).toEqual({
        status: 409,
        detail: 'This dataset has 2 saved views, which is the limit. Delete one first.',
      });
      await additions.sql('UPDATE saved_view SET created_by_id = gen_random_uuid() WHERE dataset_id = $1', [id]);
      await set('MAX_VIEWS_PER_DATASET', 0);
      await set('MAX_VIEWS_PER_USER', 1);
      expect((await ask('c')).status).toBe(200);
    });
  });
});
