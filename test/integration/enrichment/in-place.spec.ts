import { DatasetReader } from '../../../src/modules/datasets';
import { TaskLedger } from '../../../src/modules/tasks';
import { Additions, type UpdateTask } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { SnapshotClient } from '../../support/snapshot-client';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const CAPTIONER = 'site-captioner_v00';
const PICTURES = [0, 1, 2];

describe('an enrichment in place', () => {
  let running: TestApp;
  let additions: Additions;
  let snapshots: SnapshotClient;
  let server: StubModelServer;
  let models: SiteModels;
  let asked = 0;

  beforeAll(async () => {
    server = await StubModelServer.start({ caption: () => `A generated caption number ${(asked += 1)}` });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url, { server: { atOnce: 1 } });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    snapshots = new SnapshotClient(additions.api);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  beforeEach(() => server.recover());

  const indexed = async (name: string): Promise<string> =>
    additions.indexed(name, await additions.writeFolder(name, PICTURES));
  const pathOf = (id: string): string => `/api/v1/dataset/${id}/enrich_dataset?in_place=true`;
  const body = { enrichment_models: { CAPTION_IMAGES: CAPTIONER } };
  const enrich = (id: string): Promise<{ dataset_id: string }> => additions.api.must(200, 'POST', pathOf(id), body);
  const captions = async (id: string, query = ''): Promise<(string | null)[]> => {
    const { clusters } = await additions.api.must<{ clusters: { previews: { caption: string | null }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=4${query}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ caption }) => caption));
  };
  const pointerOf = async (id: string) => (await running.app.get(DatasetReader).get(id)).pointer!;

  it('writes to the dataset itself, after a snapshot that brings the state before back', async () => {
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

  it('leaves the dataset as it was when it fails, and can be retried', async () => {
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

  it('cannot be retried when the dataset has changed since, and its findings are not kept', async () => {
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

  it('can be stopped, and the dataset is as before', async () => {
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

  it('is refused where snapshots are not possible', async () => {
    const id = await indexed('Without snapshots');
    await additions.sql('UPDATE dataset SET snapshots_supported = false WHERE id = $1', [id]);
    expect(await additions.api.must(403, 'POST', pathOf(id), body)).toEqual({
      detail: 'Snapshot feature is not enabled for this dataset',
    });
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'READY' });
  });
});
