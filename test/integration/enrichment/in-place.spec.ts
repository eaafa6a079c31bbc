import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { DatasetReader } from '../../../src/modules/datasets';
import { workPrefix } from '../../../src/modules/tables/index';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { TaskLedger } from '../../../src/modules/tasks';
import { Additions, type UpdateTask } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { SnapshotClient } from '../../support/snapshot-client';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const CAPTIONER = 'site-captioner_v00';
const TAGGER = 'site-tagger_v00';
const PICTURES = [0, 1, 2];

describe('an enrichment in place', () => {
  let running: TestApp;
  let additions: Additions;
  let snapshots: SnapshotClient;
  let server: StubModelServer;
  let tagServer: StubModelServer;
  let models: SiteModels;
  let store: ObjectStore;
  let asked = 0;

  beforeAll(async () => {
    server = await StubModelServer.start({ caption: () => `A generated caption number ${(asked += 1)}` });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url, { server: { atOnce: 1 } });
    tagServer = await StubModelServer.start();
    await models.addCaptioner(TAGGER, tagServer.url, { type: 'IMAGE_TAGGING' });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    snapshots = new SnapshotClient(additions.api);
    store = running.app.get<ObjectStore>(OBJECT_STORE);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await tagServer.close();
    await models.remove();
  });

  beforeEach(() => server.recover());

  const indexed = async (name: string): Promise<string> =>
    additions.indexed(name, await additions.writeFolder(name, PICTURES));
  const pathOf = (id: string): string => `/api/v1/dataset/${id}/enrich_dataset?in_place=true`;
  const body = { enrichment_models: { CAPTION_IMAGES: CAPTIONER } };
  const tagsAndCaptions = { enrichment_models: { IMAGE_TAGGING: TAGGER, CAPTION_IMAGES: CAPTIONER } };
  const enrich = (id: string): Promise<{ dataset_id: string }> => additions.api.must(200, 'POST', pathOf(id), body);
  const captions = async (id: string, query = ''): Promise<(string | null)[]> => {
    const { clusters } = await additions.api.must<{ clusters: { previews: { caption: string | null }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=4${query}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ caption }) => caption));
  };
  const journalled = async (task: string): Promise<number> =>
    (await additions.sql('SELECT 1 FROM applied_chunk WHERE task_id = $1', [task])).length;
  const pointerOf = async (id: string) => (await running.app.get(DatasetReader).get(id)).pointer!;

  it('changes the dataset itself, after a snapshot from which it can be restored', async () => {
    const id = await indexed('Own');
    const before = await pointerOf(id);
    expect(await enrich(id)).toEqual({ dataset_id: id });
    await additions.api.untilStatus(id, ['READY']);
    expect(await additions.ended(id)).toMatchObject({ task_type: 'ENRICHMENT', status: 'COMPLETED' });
    const found = await captions(id);
    expect(found).toHaveLength(PICTURES.length);
    for (const caption of found) expect(caption).toMatch(/^A generated caption number/);
    expect(await additions.api.must(200, 'GET', '/api/v1/datasets')).toHaveLength(1);
    expect((await pointerOf(id)).clusteringId).toBe(before.clusteringId);
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${id}/context`,
    );
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${id}/${context}/status`)).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      dataset_id: id,
    });

    const [kept] = await snapshots.list(id);
    expect(kept).toMatchObject({ description: `Before ${CAPTIONER}` });
    await snapshots.restore(id, kept!.snapshot_id);
    expect(await captions(id)).toEqual(PICTURES.map(() => null));
    expect(await pointerOf(id)).toEqual(before);
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${id}/context`)).toMatchObject({
      dataset_enrichment_models: { enrichment_models: {} },
    });
  });

  it('leaves the dataset unchanged when it fails, and can be retried', async () => {
    const id = await indexed('Failing');
    const before = await pointerOf(id);
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    await enrich(id);
    await additions.api.untilStatus(id, ['READY']);
    const failed = await additions.ended(id);
    expect(failed).toMatchObject({ status: 'FAILED', error_message: expect.stringMatching(/key/) as unknown });
    expect(await pointerOf(id)).toEqual(before);
    server.recover();
    await additions.api.must(200, 'POST', `/api/v1/tasks/${failed.task_id}/retry`);
    await additions.api.untilStatus(id, ['READY']);
    expect(await additions.ended(id)).toMatchObject({ task_id: failed.task_id, status: 'COMPLETED' });
  });

  it('cannot be retried after the dataset has changed, and its findings are deleted', async () => {
    const id = await indexed('Changed');
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    await enrich(id);
    await additions.api.untilStatus(id, ['READY']);
    const failed = await additions.ended(id);
    const ledger = running.app.get(TaskLedger);
    expect(await ledger.unfinishedAmong([failed.task_id])).toEqual(new Set([failed.task_id]));
    server.recover();
    await enrich(id);
    await additions.api.untilStatus(id, ['READY']);
    expect(await ledger.unfinishedAmong([failed.task_id])).toEqual(new Set());
    const now = await pointerOf(id);
    await additions.api.must(200, 'POST', `/api/v1/tasks/${failed.task_id}/retry`);
    await additions.api.untilStatus(id, ['READY']);
    const { tasks } = await additions.api.must<{ tasks: UpdateTask[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    expect(tasks.find(({ task_id: task }) => task === failed.task_id)).toMatchObject({
      status: 'FAILED',
      error_message: 'The dataset has been changed since this enrichment began. Start a new one.',
    });
    expect(await pointerOf(id)).toEqual(now);
  });

  it('repeats deleted findings if the dataset is restored before the retry', async () => {
    const id = await indexed('Restored');
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    await additions.api.must(200, 'POST', pathOf(id), tagsAndCaptions);
    await additions.api.untilStatus(id, ['READY']);
    const failed = await additions.ended(id);
    expect(await journalled(failed.task_id)).toBe(1);
    const [before] = await snapshots.list(id);
    server.recover();
    await enrich(id);
    await additions.api.untilStatus(id, ['READY']);
    await running.app.get(WorkSweep).sweep(new Date());
    expect(await journalled(failed.task_id)).toBe(0);

    await snapshots.restore(id, before!.snapshot_id);
    const tagged = tagServer.requests;
    await additions.api.must(200, 'POST', `/api/v1/tasks/${failed.task_id}/retry`);
    await additions.api.untilStatus(id, ['READY']);
    expect(tagServer.requests - tagged).toBe(PICTURES.length);
    const tasks = await additions.tasks(id);
    expect(tasks.find(({ task_id: task }) => task === failed.task_id)).toMatchObject({ status: 'COMPLETED' });
    expect(new Set(await captions(id)).size).toBe(PICTURES.length);
  });

  it('leaves nothing behind when its task is aborted', async () => {
    const id = await indexed('Stopped task');
    server.fail(FAULTS.hang());
    await additions.api.must(200, 'POST', pathOf(id), tagsAndCaptions);
    const [task] = await additions.tasks(id);
    await waitUntil(async () => (await journalled(task!.task_id)) === 1);
    await additions.api.must(200, 'POST', `/api/v1/tasks/${task!.task_id}/abort`);
    await additions.api.untilStatus(id, ['READY']);
    await running.app.get(WorkSweep).sweep(new Date());
    expect(await journalled(task!.task_id)).toBe(0);
    expect((await store.list(workPrefix(task!.task_id), { limit: 1 })).objects).toEqual([]);
  });

  it('can be aborted without changing the dataset', async () => {
    const id = await indexed('Stopped');
    const before = await pointerOf(id);
    server.fail(FAULTS.status(503));
    await enrich(id);
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${id}/context`,
    );
    expect(await additions.api.must(200, 'DELETE', `/api/v1/enrichment/${id}/${context}/abort`)).toMatchObject({
      status: 'ABORTED',
    });
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      status_new: 'READY',
      progress: 100,
    });
    expect(await pointerOf(id)).toEqual(before);
  });

  it('is refused if snapshots are disabled', async () => {
    const id = await indexed('Without snapshots');
    await additions.sql('UPDATE dataset SET snapshots_supported = false WHERE id = $1', [id]);
    expect(await additions.api.must(403, 'POST', pathOf(id), body)).toEqual({
      detail: 'Snapshot feature is not enabled for this dataset',
    });
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'READY' });
  });
});
