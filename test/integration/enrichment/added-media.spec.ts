import { rm } from 'node:fs/promises';
import { Additions } from '../../support/additions';
import { formOf } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const [CAPTIONER, TAGGER] = ['site-captioner_v00', 'site-tagger_v00'];

describe('media added to a dataset with applied models', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;

  beforeAll(async () => {
    let captions = 0;
    server = await StubModelServer.start({
      caption: () => `A generated caption number ${(captions += 1)}`,
      labels: () => [{ label: 'ball', confidence: 0.9 }],
    });
    running = await startTestApp({ MODELS_DIR: (models = await SiteModels.make()).folder });
    additions = new Additions(running);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  beforeEach(async () => {
    server.recover();
    for (const id of [CAPTIONER, TAGGER]) await models.take(id).catch(() => undefined);
    await models.addCaptioner(CAPTIONER, server.url);
    await models.addCaptioner(TAGGER, server.url, { type: 'IMAGE_TAGGING' });
  });

  const enriched = async (name: string): Promise<string> => {
    const id = await additions.indexed(name, await additions.writeFolder(name, [0, 1]));
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/enrich_dataset?in_place=true`, {
      enrichment_models: { CAPTION_IMAGES: CAPTIONER, IMAGE_TAGGING: TAGGER },
    });
    await additions.api.untilStatus(id, ['READY']);
    return id;
  };
  const add = async (id: string, name: string, seeds: readonly number[], autoReindex = false): Promise<void> =>
    additions.addFolder(id, await additions.writeFolder(name, seeds), autoReindex);
  const found = async (id: string): Promise<(readonly [string, boolean, readonly string[]])[]> =>
    (await additions.rows(id))
      .map(
        ({ fileName, generatedCaption, labels }) =>
          [fileName, /^A generated caption/.test(generatedCaption ?? ''), labels] as const,
      )
      .sort(([a], [b]) => a.localeCompare(b));
  const named = (...seeds: readonly number[]) => seeds.map((seed) => [`${seed}.jpg`, true, ['ball']]);
  const statusMessage = async (id: string): Promise<string> =>
    (await additions.api.must<{ tasks: { status_message: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`))
      .tasks[0]!.status_message;

  it('also get results, appended or reindexed, each requested once', async () => {
    const id = await enriched('grown');
    const asked = server.requests;
    await add(id, 'grown 2', [2, 3]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [], quarantined_count: 0 });
    expect(await found(id)).toEqual(named(0, 1, 2, 3));
    await add(id, 'grown 3', [4], true);
    await additions.ended(id);
    expect(await found(id)).toEqual(named(0, 1, 2, 3, 4));
    expect(server.requests - asked).toBe(2 * 3);
    const { clusters } = await additions.api.must<{ clusters: { previews: unknown[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=4&vql=${encodeURIComponent(JSON.stringify([{ text: { op: 'fts', value: 'generated' } }]))}`,
    );
    expect(clusters.flatMap(({ previews }) => previews)).toHaveLength(5);
    expect(await additions.sql('SELECT 1 FROM applied_chunk')).toEqual([]);
  });

  it('match views that depend on model results', async () => {
    const id = await enriched('watched');
    const view = await additions.api.must<{ id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/views?labels=${encodeURIComponent('[ball]')}`,
      formOf({ name: 'balls' }),
    );
    await add(id, 'watched 2', [2, 3, 4]);
    await additions.ended(id);
    await waitUntil(async () => {
      const { views } = await additions.api.must<{ views: { id: string; total_results: number }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/views`,
      );
      return views.find((each) => each.id === view.id)?.total_results === 3;
    });
  });

  it('get results if a synchronisation adds them', async () => {
    const id = await enriched('followed');
    await writePicture(additions.place('followed', '2.jpg'), 2);
    await rm(additions.place('followed', '0.jpg'));
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync?prune=true`);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await found(id)).toEqual(named(1, 2));
  });

  it('wait for an unavailable server', async () => {
    const id = await enriched('waiting');
    server.fail(FAULTS.status(503));
    await add(id, 'waiting 2', [2]);
    await waitUntil(async () => (await statusMessage(id)).startsWith('Waiting for the model server'));
    server.recover();
    await additions.ended(id);
    expect(await found(id)).toEqual(named(0, 1, 2));
  });

  it('are added without the results that a model refuses, with the reason', async () => {
    const id = await enriched('refused');
    server.fail(FAULTS.status(400, 'Too small'), 1);
    await add(id, 'refused 2', [2]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
    expect(await found(id)).toEqual([...named(0, 1), ['2.jpg', false, ['ball']]]);
  });

  it('are not added if no request can succeed, and the dataset is unchanged', async () => {
    const id = await enriched('failing');
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    await add(id, 'failing 2', [2]);
    expect(await additions.ended(id)).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/key/) as unknown,
    });
    expect(await found(id)).toEqual(named(0, 1));
    expect(await additions.sql('SELECT 1 FROM applied_chunk')).toEqual([]);
  });

  it('are added without the results of a removed model, with a warning', async () => {
    const id = await enriched('orphaned');
    await models.take(CAPTIONER);
    await add(id, 'orphaned 2', [2]);
    expect(await additions.ended(id)).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        `The model ${CAPTIONER} is no longer there, so the new media have no results of CAPTION_IMAGES. Restore its folder in MODELS_DIR and apply it again.`,
      ],
    });
    expect(await found(id)).toEqual([...named(0, 1), ['2.jpg', false, ['ball']]]);
  });
});
