import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatasetReader } from '../../../src/modules/datasets';
import { TaskLedger } from '../../../src/modules/tasks';
import { Additions, type UpdateTask } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { writePicture } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const CAPTIONER = 'site-captioner_v00';
const PICTURES = [0, 1, 2, 3, 4];

interface Found {
  readonly clusters: readonly { readonly previews: readonly { file_name: string; caption: string | null }[] }[];
}

describe('captions by a model', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;
  const prompts: string[] = [];
  let isBroken: (picture: Buffer) => boolean = () => false;

  beforeAll(async () => {
    server = await StubModelServer.start({
      caption: ({ prompt }) => `A generated caption number ${prompts.push(prompt)}`,
      faultOf: ({ picture }) => (isBroken(picture) ? FAULTS.status(500, 'out of memory') : undefined),
    });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url);
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', PICTURES);
    await writeFile(
      join(folder, 'image_annotations.csv'),
      'filename,label,caption\n0.jpg,text,Two people wrote this\n',
    );
    source = await additions.indexed('Source', folder);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  const enrich = async (id: string, model: unknown = CAPTIONER): Promise<string> =>
    (
      await additions.api.must<{ dataset_id: string }>(200, 'POST', `/api/v1/dataset/${id}/enrich_dataset`, {
        enrichment_models: { CAPTION_IMAGES: model },
      })
    ).dataset_id;
  const statusOf = async (id: string): Promise<unknown> =>
    (await additions.api.must<{ status_new: string }>(200, 'GET', `/api/v1/dataset/${id}`)).status_new;
  const contextOf = (id: string) =>
    additions.api.must<{ enrichment_context_id: string; status: string; dataset_enrichment_models: object }>(
      200,
      'GET',
      `/api/v1/enrichment/${id}/context`,
    );
  const files = async (id: string, query: string): Promise<(readonly [string, string | null])[]> => {
    const { clusters } = await additions.api.must<Found>(
      200,
      'GET',
      `/api/v1/explore/${id}?entity_type=IMAGES&threshold=4&${query}`,
    );
    return clusters
      .flatMap(({ previews }) => previews.map(({ file_name: name, caption }) => [name, caption] as const))
      .sort(([a], [b]) => a.localeCompare(b));
  };
  const words = (value: string): string =>
    `vql=${encodeURIComponent(JSON.stringify([{ text: { op: 'fts', value } }]))}`;
  const taskOf = async (id: string): Promise<UpdateTask> =>
    (await additions.api.must<{ tasks: UpdateTask[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`)).tasks[0]!;

  it('are written to the copy, and the source is unchanged', async () => {
    const before = (await running.app.get(DatasetReader).get(source)).pointer;
    const copy = await enrich(source, { id: CAPTIONER, metadata: { prompt: 'Describe it in one line.', other: 1 } });
    expect(await statusOf(source)).toBe('READ ONLY');
    await additions.api.untilStatus(copy, ['READY']);
    expect(await statusOf(source)).toBe('READY');
    expect((await running.app.get(DatasetReader).get(source)).pointer).toEqual(before);
    expect(prompts).toEqual(PICTURES.map(() => 'Describe it in one line.'));
    const dataset = await additions.api.must<object>(200, 'GET', `/api/v1/dataset/${copy}`);
    expect(dataset).toMatchObject({
      display_name: 'Source (enriched)',
      source_dataset_id: source,
      n_images: 5,
      progress: 100,
    });
    expect((await files(copy, words('generated'))).map(([name]) => name)).toEqual(
      PICTURES.map((seed) => `${seed}.jpg`),
    );
    expect(await files(source, words('generated'))).toEqual([]);
    expect(await taskOf(source)).toMatchObject({ task_type: 'ENRICHMENT', status: 'COMPLETED', quarantined_count: 0 });
    expect(await contextOf(copy)).toMatchObject({
      status: 'COMPLETED',
      dataset_enrichment_models: { enrichment_models: { CAPTION_IMAGES: CAPTIONER } },
    });
    expect(await contextOf(source)).toMatchObject({ dataset_enrichment_models: { enrichment_models: {} } });
  });

  it('are kept beside captions by people, which are shown; searches use both', async () => {
    const copy = await enrich(source);
    await additions.api.untilStatus(copy, ['READY']);
    const captioned = new Map(await files(copy, ''));
    expect(captioned.get('0.jpg')).toBe('Two people wrote this');
    expect(captioned.get('1.jpg')).toMatch(/^A generated caption number/);
    expect((await files(copy, words('people'))).map(([name]) => name)).toEqual(['0.jpg']);
    expect((await files(copy, words('generated -people'))).map(([name]) => name)).not.toContain('0.jpg');
    expect(
      (await files(copy, 'caption=two people wrote this&textual_similarity_threshold=0.3')).map(([name]) => name),
    ).toEqual(['0.jpg']);
    expect(
      (await files(copy, 'caption=a generated caption&textual_similarity_threshold=0.6')).map(([name]) => name),
    ).toEqual(PICTURES.map((seed) => `${seed}.jpg`));
    const { results } = await additions.api.must<{ results: { file_name: string; relevance_score: number }[] }>(
      200,
      'POST',
      `/api/v1/vector_search/${copy}`,
      { text: 'Two people wrote this', entity_type: 'IMAGES', limit: 1 },
    );
    expect(results).toEqual([
      expect.objectContaining({ file_name: '0.jpg', relevance_score: expect.closeTo(0, 3) as unknown }),
    ]);
    const { clusters } = await additions.api.must<{ clusters: { previews: { media_id: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${copy}?threshold=4`,
    );
    const details = await Promise.all(
      clusters
        .flatMap(({ previews }) => previews)
        .map(({ media_id: id }) => additions.api.must<object>(200, 'GET', `/api/v1/dataset/${copy}/media/${id}`)),
    );
    expect(details).toContainEqual(
      expect.objectContaining({
        file_name: '0.jpg',
        caption: 'Two people wrote this',
        caption_source: 'User',
        generated_caption: expect.stringMatching(/^A generated/) as unknown,
      }),
    );
    expect(details).toContainEqual(expect.objectContaining({ file_name: '1.jpg', caption_source: CAPTIONER }));
  });

  it('wait for an unavailable server, then continue', async () => {
    server.fail(FAULTS.status(503));
    const copy = await enrich(source);
    await waitUntil(async () => /^Waiting for the model server/.test((await statusMessage(source)) ?? ''));
    expect(await additions.api.must(409, 'DELETE', `/api/v1/dataset/${copy}`)).toEqual({
      detail: "Operation 'delete_dataset' is blocked while ENRICHMENT task is running",
    });
    server.recover();
    await additions.api.untilStatus(copy, ['READY']);
  });

  it('are requested from the new address after a change of the manifest, even by a waiting task', async () => {
    server.fail(FAULTS.status(503));
    const copy = await enrich(source);
    await waitUntil(async () => /^Waiting for the model server/.test((await statusMessage(source)) ?? ''));
    const other = await StubModelServer.start({ caption: () => 'A caption from elsewhere' });
    await models.addCaptioner(CAPTIONER, other.url);
    await additions.api.untilStatus(copy, ['READY']);
    expect((await files(copy, words('elsewhere'))).map(([name]) => name)).toHaveLength(PICTURES.length);
    server.recover();
    await models.addCaptioner(CAPTIONER, server.url);
    const next = await enrich(source);
    await additions.api.untilStatus(next, ['READY']);
    await other.close();
    expect(await files(next, words('elsewhere'))).toEqual([]);
  });

  it('can be aborted: the copy is removed, and the source is READY', async () => {
    server.fail(FAULTS.status(503));
    const copy = await enrich(source);
    const { enrichment_context_id: context } = await contextOf(source);
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${source}/${context}/status`)).toMatchObject({
      status: 'RUNNING',
      dataset_id: copy,
      models: [{ type: 'CAPTION_IMAGES', id: CAPTIONER, status: 'RUNNING', progress: 0 }],
    });
    const abort = `/api/v1/enrichment/${source}/${context}/abort`;
    const aborted = { enrichment_context_id: context, status: 'ABORTED' };
    expect(await additions.api.must(200, 'DELETE', abort)).toEqual(aborted);
    expect(await additions.api.must(200, 'DELETE', abort)).toEqual(aborted);
    server.recover();
    await additions.api.must(404, 'GET', `/api/v1/dataset/${copy}`);
    expect(await statusOf(source)).toBe('READY');
    expect(await taskOf(source)).toMatchObject({ status: 'ABORTED' });
  });

  it('quarantine pictures that the model refuses, and keep them in the dataset', async () => {
    server.fail(FAULTS.status(400, 'The picture is too small'), 1);
    const copy = await enrich(source);
    await additions.api.untilStatus(copy, ['READY']);
    const { files: refused } = await additions.api.must<{ files: { file: string; reason: string; detail: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${copy}/quarantine`,
    );
    expect(refused).toEqual([
      expect.objectContaining({
        reason: 'refused_by_model',
        detail: expect.stringContaining(`CAPTION_IMAGES by ${CAPTIONER}: `) as unknown,
      }),
    ]);
    expect(await files(copy, '')).toHaveLength(PICTURES.length);
    expect(await taskOf(source)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
  });

  it('skip a picture for which the server always fails, and quarantine it', async () => {
    let first: Buffer | undefined;
    isBroken = (picture) => picture.equals((first ??= picture));
    const copy = await enrich(source);
    await additions.api.untilStatus(copy, ['READY']);
    isBroken = () => false;
    const { files: refused } = await additions.api.must<{ files: { file: string; reason: string; detail: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${copy}/quarantine`,
    );
    expect(refused).toEqual([
      expect.objectContaining({
        reason: 'refused_by_model',
        detail: expect.stringMatching(
          /failed with 500: out of memory, in the last of 4 attempts for this picture, but answers for others\.$/,
        ) as unknown,
      }),
    ]);
    expect(await taskOf(source)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
  });

  it('skip a file that changed after indexing, and quarantine it', async () => {
    await writePicture(additions.place('source', '1.jpg'), 8);
    await writePicture(additions.place('source', '2.jpg'), 2);
    const copy = await enrich(source);
    await additions.api.untilStatus(copy, ['READY']);
    await writePicture(additions.place('source', '1.jpg'), 1);
    const { files: changed } = await additions.api.must<{ files: object[] }>(
      200,
      'GET',
      `/api/v1/dataset/${copy}/quarantine`,
    );
    expect(changed).toEqual([
      expect.objectContaining({
        file: '1.jpg',
        reason: 'changed',
        detail: `CAPTION_IMAGES by ${CAPTIONER}: The file has changed since it was indexed. Synchronise the dataset to read it again.`,
      }),
    ]);
    const uncaptioned = (await files(copy, '')).filter(([, caption]) => caption === null);
    expect(uncaptioned).toEqual([['1.jpg', null]]);
    expect(await taskOf(source)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
  });

  it('also wait if the server becomes unavailable after it refused the first picture', async () => {
    let refused = 0;
    const refusal = FAULTS.status(400, 'The picture is too small');
    server.fail((response) => (refused++ === 0 ? refusal : FAULTS.status(503))(response));
    const copy = await enrich(source);
    await waitUntil(async () => ((await statusMessage(source)) ?? '').startsWith('Waiting for the model server'));
    server.recover();
    await additions.api.untilStatus(copy, ['READY']);
    expect(await taskOf(source)).toMatchObject({ status: 'COMPLETED' });
  });

  it('fail if the model refuses every picture', async () => {
    server.fail(FAULTS.status(400, 'This model has no vision'));
    const copy = await enrich(source);
    await waitUntil(async () => (await statusOf(copy)) === 'ERROR');
    server.recover();
    expect(await statusOf(source)).toBe('READY');
    expect(await taskOf(source)).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/refused all of the first 5 pictures.*This model has no vision/) as unknown,
    });
  });

  it('fail immediately if no request can succeed, and leave the source READY', async () => {
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    const copy = await enrich(source);
    await waitUntil(async () => (await statusOf(copy)) === 'ERROR');
    server.recover();
    expect(await statusOf(source)).toBe('READY');
    expect(await taskOf(source)).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/key/) as unknown,
    });
  });

  it('can be retried after a failure, with the same copy unless it was deleted', async () => {
    server.fail(FAULTS.status(401, 'Incorrect API key'));
    const copy = await enrich(source);
    await waitUntil(async () => (await statusOf(copy)) === 'ERROR');
    const { task_id: task } = await taskOf(source);
    server.recover();
    expect(await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`)).toMatchObject({
      task_id: task,
      status: 'INITIALIZING',
    });
    await additions.api.untilStatus(copy, ['READY']);
    expect(await statusOf(source)).toBe('READY');
    expect(await files(copy, words('generated'))).toHaveLength(PICTURES.length);
    await additions.api.must(400, 'POST', `/api/v1/tasks/${task}/retry`);

    server.fail(FAULTS.status(401, 'Incorrect API key'));
    const deleted = await enrich(source);
    await waitUntil(async () => (await statusOf(deleted)) === 'ERROR');
    server.recover();
    const { task_id: failed } = await taskOf(source);
    expect(await running.app.get(TaskLedger).unfinishedAmong([failed])).toEqual(new Set([failed]));
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${deleted}`);
    expect(await additions.api.must(409, 'POST', `/api/v1/tasks/${failed}/retry`)).toEqual({
      detail: 'The copy that this task was making is deleted; start the operation again',
    });
    expect(await running.app.get(TaskLedger).unfinishedAmong([failed])).toEqual(new Set());
    expect(await statusOf(source)).toBe('READY');
  });

  it('block deletion and changes of the source until they are complete, and no longer need it then', async () => {
    const folder = await additions.writeFolder('short-lived', PICTURES);
    const id = await additions.indexed('Short-lived', folder);
    server.fail(FAULTS.status(503));
    const copy = await enrich(id);
    await waitUntil(async () => /^Waiting for the model server/.test((await statusMessage(id)) ?? ''));
    for (const [operation, method, path] of [
      ['delete_dataset', 'DELETE', ''],
      ['reindex', 'POST', '/reindex'],
      ['sync', 'POST', '/sync'],
    ] as const)
      expect(await additions.api.must(409, method, `/api/v1/dataset/${id}${path}`)).toEqual({
        detail: `Operation '${operation}' is blocked while ENRICHMENT task is running`,
      });
    expect(await statusOf(id)).toBe('READ ONLY');
    server.recover();
    await additions.api.untilStatus(copy, ['READY']);

    server.fail(FAULTS.status(401, 'Incorrect API key'));
    const failed = await enrich(id);
    await waitUntil(async () => (await statusOf(failed)) === 'ERROR');
    server.recover();
    const { task_id: task } = await taskOf(id);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    await additions.api.must(404, 'POST', `/api/v1/tasks/${task}/retry`);
    expect(await files(copy, words('generated'))).toHaveLength(PICTURES.length);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${failed}`);
    expect(await additions.sql('SELECT 1 FROM applied_chunk WHERE task_id = $1', [task])).toEqual([]);
  });

  it('are exported with their source', async () => {
    const copy = await enrich(source);
    await additions.api.untilStatus(copy, ['READY']);
    const client = new ExportClient(additions.api);
    const archive = await client.archive(copy, await client.start(copy, 'export_format=json'));
    const [metadata] = archive.values();
    expect(metadata!.toString()).toContain(`"source":"${CAPTIONER}"`);
  });

  const statusMessage = async (id: string): Promise<string | undefined> =>
    (await additions.api.must<{ tasks: { status_message: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`))
      .tasks[0]?.status_message;
});
