import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import request from 'supertest';
import { hasVideoSupport } from '../../src/common/engine/compute/video-tools';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import { VQL_FILTERS } from '../../src/modules/search/query/domain/vql-filters';
import { ApiClient } from '../support/api-client';
import { Additions } from '../support/additions';
import { FORMAT_FIXTURES } from '../support/format-fixtures';
import { pictureBytes, writePicture } from '../support/pictures';
import { SiteModels } from '../support/site-models';
import { startTestApp, type TestApp } from '../support/test-app';
import { ADD_MEDIA_CONTRACT } from './add-media.contract';
import { ANCHORS_CONTRACT } from './anchors.contract';
import { ANNOTATION_HISTORY_CONTRACT } from './annotation-history.contract';
import { ANNOTATIONS_CONTRACT } from './annotations.contract';
import { API_CREDENTIALS_CONTRACT } from './api-credentials.contract';
import { AUDIT_CONTRACT } from './audit.contract';
import type { Route, World } from './contract-case';
import { DUPLICATES_CONTRACT } from './duplicates.contract';
import { EMBEDDINGS_CONTRACT } from './embeddings.contract';
import { CAPTIONER, ENCODER, ENRICHMENT_CONTRACT, OBJECT_CAPTIONER } from './enrichment.contract';
import { DATASETS_CONTRACT } from './datasets.contract';
import { giveEvaluation, giveMetadata, uploadAnchor, writeCaptioned } from './explore.cases';
import { describedVql, TAKE_VQL, type Description } from './described-vql';
import { EVALUATION_FIGURES_CONTRACT } from './evaluation-figures.contract';
import { EVALUATION_CONTRACT, makeEvaluations } from './evaluation.contract';
import { EVALUATION_SLICES_CONTRACT } from './evaluation-slices.contract';
import { FACETS_CONTRACT } from './facets.contract';
import { EXPORT_CONTRACT } from './export.contract';
import { ADDITIONS_CONTRACT } from './additions.contract';
import { INGESTION_CONTRACT } from './ingestion.contract';
import { LABEL_SET_CONTRACT } from './label-set.contract';
import { LABEL_SUGGESTIONS_CONTRACT } from './label-suggestions.contract';
import { MAP_CONTRACT } from './map.contract';
import { MEDIA_CONTRACT } from './media.contract';
import { MEDIA_LIST_CONTRACT } from './media-list.contract';
import { MEDIA_TILE_CONTRACT } from './media-tile.contract';
import { NOTIFICATIONS_CONTRACT } from './notifications.contract';
import { OIDC_CONTRACT } from './oidc.contract';
import { PEOPLE_CONTRACT } from './people.contract';
import { PIPELINE_CONTRACT } from './pipeline.contract';
import { REVIEW_ITEMS_CONTRACT } from './review-items.contract';
import { makeQueues, REVIEW_CONTRACT } from './review.contract';
import { SEARCH_CONTRACT } from './search.contract';
import { SEARCH_DETAILS_CONTRACT } from './search-details.contract';
import { SETTINGS_CONTRACT } from './settings.contract';
import { SHARING_CONTRACT } from './sharing.contract';
import { makeSnapshots, SNAPSHOTS_CONTRACT } from './snapshots.contract';
import { SUBSETS_CONTRACT } from './subsets.contract';
import { SYNC_CONTRACT } from './sync.contract';
import { makeTags, TAGS_CONTRACT } from './tags.contract';
import { CUSTOM_METADATA_CONTRACT, makeFields } from './custom-metadata.contract';
import { DescribedAnswers, type ApiDescription } from './described-answers';
import { descriptionText } from '../../src/common/platform/http/description/open-api';
import { TASKS_CONTRACT } from './tasks.contract';
import { makeViews, VIEWS_CONTRACT } from './views.contract';
import { makeWebhooks, WEBHOOK_HOSTS, WEBHOOKS_CONTRACT } from './webhooks.contract';
import { missingFromVql } from './vql.cases';

const CONTRACT: readonly Route[] = [
  ...OIDC_CONTRACT,
  ...API_CREDENTIALS_CONTRACT,
  ...DATASETS_CONTRACT,
  ...INGESTION_CONTRACT,
  ...ADD_MEDIA_CONTRACT,
  ...TASKS_CONTRACT,
  ...CUSTOM_METADATA_CONTRACT,
  // Before the PARTIAL INDEX dataset is indexed again.
  ...EXPORT_CONTRACT,
  ...ADDITIONS_CONTRACT,
  ...SEARCH_CONTRACT,
  ...SEARCH_DETAILS_CONTRACT,
  ...FACETS_CONTRACT,
  ...MEDIA_LIST_CONTRACT,
  ...MEDIA_TILE_CONTRACT,
  ...LABEL_SUGGESTIONS_CONTRACT,
  ...MAP_CONTRACT,
  ...ANCHORS_CONTRACT,
  ...MEDIA_CONTRACT,
  ...TAGS_CONTRACT,
  ...DUPLICATES_CONTRACT,
  ...REVIEW_CONTRACT,
  ...REVIEW_ITEMS_CONTRACT,
  ...EVALUATION_SLICES_CONTRACT,
  ...EVALUATION_CONTRACT,
  ...EVALUATION_FIGURES_CONTRACT,
  ...SNAPSHOTS_CONTRACT,
  ...PIPELINE_CONTRACT,
  ...SYNC_CONTRACT,
  ...SHARING_CONTRACT,
  ...VIEWS_CONTRACT,
  ...NOTIFICATIONS_CONTRACT,
  ...WEBHOOKS_CONTRACT,
  ...PEOPLE_CONTRACT,
  ...SETTINGS_CONTRACT,
  // These make datasets READ ONLY.
  ...SUBSETS_CONTRACT,
  ...ENRICHMENT_CONTRACT,
  ...ANNOTATIONS_CONTRACT,
  ...ANNOTATION_HISTORY_CONTRACT,
  ...LABEL_SET_CONTRACT,
  ...EMBEDDINGS_CONTRACT,
  // Reads the audit entries of the changed settings.
  ...AUDIT_CONTRACT,
];

async function writeSource(folder: string): Promise<void> {
  for (let seed = 0; seed < 12; seed += 1) await writePicture(join(folder, `family-${seed % 3}`, `${seed}.jpg`), seed);
  await writeFile(join(folder, 'broken.jpg'), 'not a picture');
  await writeFile(
    join(folder, 'object_annotations.csv'),
    'filename,col_x,row_y,width,height,label\nfamily-0/0.jpg,10,10,40,40,ball\nfamily-1/1.jpg,20,20,50,50,ball\n',
  );
}

/** Models that can be used, and one that cannot. */
async function makeModels(): Promise<SiteModels> {
  const models = await SiteModels.make();
  await models.addCaptioner(CAPTIONER, 'http://127.0.0.1:9', { name: 'Captioner of the contract' });
  await models.addCaptioner(OBJECT_CAPTIONER, 'http://127.0.0.1:9', {
    name: 'Object captioner of the contract',
    type: 'CAPTION_OBJECTS',
  });
  await models.addCopy(join(FORMAT_FIXTURES, 'clip'), { id: ENCODER, name: 'Encoder of the contract' });
  await mkdir(join(models.folder, 'broken'));
  await writeFile(join(models.folder, 'broken', 'manifest.json'), '{');
  return models;
}

async function makePartial(running: TestApp, folder: string, added: Uint8Array): Promise<string> {
  const additions = new Additions(running);
  const id = await additions.api.indexed('Partial', folder);
  await additions.addUploads(id, [{ name: 'added.jpg', bytes: added }]);
  await additions.api.untilStatus(id, ['PARTIAL INDEX']);
  return id;
}

async function makePictured(api: ApiClient, captioned: string): Promise<string> {
  return api.enriched(captioned, { MULTIMODEL_IMAGE_ENCODING: ENCODER });
}

async function pictureWithObject(api: ApiClient, dataset: string): Promise<string> {
  const path = `/api/v1/explore/${dataset}?entity_type=OBJECTS`;
  type Found = { clusters: [{ previews: [{ image_id: string }] }] };
  const { clusters } = await api.must<Found>(200, 'GET', path);
  return clusters[0].previews[0].image_id;
}

async function makeWorld(running: TestApp): Promise<World> {
  const { url, folder } = running;
  const api = new ApiClient(url);
  const source = join(folder, 'source');
  const emptyFolder = join(folder, 'empty');
  await writeSource(source);
  await mkdir(emptyFolder);
  const ready = await api.createFromFolder('Contract', source);
  const annotated = await api.createFromFolder('Annotated', source);
  const fields = await api.createFromFolder('Fields', source);
  const captionedSource = join(folder, 'captioned');
  await writeCaptioned(captionedSource);
  const captioned = await api.createFromFolder('Captioned', captionedSource);
  const picture = await pictureBytes(99);
  const newDraft = async (name: string): Promise<string> =>
    (await api.must<{ dataset_id: string }>(200, 'GET', `/api/v1/ingestion/new_dataset?dataset_name=${name}`))
      .dataset_id;
  const processedDataset = await newDraft('Processed');
  const processedTransaction = await api.upload(processedDataset, [{ name: 'sub/a.jpg', bytes: picture }]);
  await api.must(202, 'POST', `/api/v1/ingestion/${processedDataset}/process_files/${processedTransaction}`);
  const draft = await newDraft('Draft');
  const { trans_id: emptyTransaction } = await api.must<{ trans_id: number }>(
    200,
    'GET',
    `/api/v1/ingestion/${draft}/data_files`,
  );
  await api.untilStatus(ready, ['READY']);
  await api.untilStatus(annotated, ['READY']);
  await api.untilStatus(fields, ['READY']);
  await api.untilStatus(captioned, ['READY']);
  await giveMetadata(api, captioned);
  const captionedMedia = await giveEvaluation(running.app, api, captioned);
  await api.untilStatus(processedDataset, ['READY']);
  const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${ready}`);
  const { enrichment_context_id: context } = await api.must<{ enrichment_context_id: string }>(
    200,
    'GET',
    `/api/v1/enrichment/${ready}/context`,
  );
  return {
    ready,
    withObject: await pictureWithObject(api, ready),
    annotated,
    captioned,
    captionedMedia,
    pictured: await makePictured(api, captioned),
    context,
    anchor: await uploadAnchor(api, ready, picture),
    partial: await makePartial(running, captionedSource, picture),
    draft,
    emptyTransaction,
    processedTransaction,
    processedDataset,
    completedTask: tasks[0]!.task_id,
    folder: source,
    emptyFolder,
    picture,
    tags: await makeTags(api, ready),
    snapshots: await makeSnapshots(api, ready, processedDataset),
    views: await makeViews(api, ready),
    review: await makeQueues(api, ready),
    evaluations: await makeEvaluations(api, annotated),
    webhooks: await makeWebhooks(api, ready),
    fields: await makeFields(api, fields),
  };
}

async function ask(server: Server, method: Route['method'], path: string, body?: FormData | object) {
  const asked = request(server)[method.toLowerCase() as Lowercase<Route['method']>](path);
  if (body instanceof FormData) {
    // Encoded by the platform: the client's own encoder removes folders from file names.
    const form = new Response(body);
    void asked.set('content-type', form.headers.get('content-type')!).send(Buffer.from(await form.arrayBuffer()));
  } else if (body !== undefined) void asked.send(body);
  const answer = await asked;
  const sent: unknown = answer.type === 'application/json' ? answer.body : answer.text;
  return { status: answer.status, type: answer.type, body: sent };
}

describe('the contract', () => {
  let running: TestApp;
  let world: World;
  let api: ApiClient;
  let models: SiteModels;
  let described: DescribedAnswers;

  beforeAll(async () => {
    models = await makeModels();
    running = await startTestApp({ WEBHOOK_HOSTS, MODELS_DIR: models.folder });
    api = new ApiClient(running.url);
    described = new DescribedAnswers(await api.must<ApiDescription>(200, 'GET', '/api/v1/openapi.json'));
    world = await makeWorld(running);
  });

  afterAll(async () => {
    await running.close();
    await models.remove();
  });

  describe.each(CONTRACT)('$method $route', ({ method, route, cases }) => {
    it.each(cases)('$it', async ({ path, body, status, detail, reason, locations, answers }) => {
      const answer = await ask(running.app.getHttpServer(), method, path(world), body?.(world));
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
      if (detail !== undefined) {
        expect(answer.body).toEqual({
          detail: typeof detail === 'string' ? detail : (expect.stringMatching(detail) as unknown),
          ...(reason === undefined ? {} : { reason: expect.stringMatching(reason) as unknown }),
        });
      }
      if (locations !== undefined) {
        const items = (answer.body as { detail: { type: string; loc: unknown; msg: string; input: unknown }[] }).detail;
        expect(items.map(({ loc }) => loc)).toEqual(locations);
        for (const item of items) expect(Object.keys(item).sort()).toEqual(['input', 'loc', 'msg', 'type']);
      }
      if (answers !== undefined) expect(answer.body).toEqual(answers(world));
      expect(described.problemsOf(method, route, answer)).toEqual([]);
    });
  });

  it('uses every op of VQL', () => expect(missingFromVql()).toEqual([]));

  it('has a row for every route of the service', async () => {
    const { paths } = await api.must<{ paths: Record<string, Record<string, unknown>> }>(
      200,
      'GET',
      '/api/v1/openapi.json',
    );
    const served = Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
    );
    expect(served.sort()).toEqual(CONTRACT.map(({ method, route }) => `${method} ${route}`).sort());
  });

  it('warns operators of models that cannot be used', async () => {
    const health = await api.must<{ warnings: string[] }>(200, 'GET', '/health/ready');
    expect(health).toMatchObject({ status: 'ok', parts: { postgres: 'up', store: 'up', models: 'up' } });
    expect(health).toMatchObject({ facts: { IMAGE_MODEL: DEFAULT_IMAGE_MODEL, TEXT_MODEL: DEFAULT_TEXT_MODEL } });
    expect(health.warnings).toContain("A model can't be used: broken/manifest.json is not JSON.");
  });

  it('warns operators if videos cannot be read, and only then', async () => {
    const { warnings } = await api.must<{ warnings: string[] }>(200, 'GET', '/health/ready');
    const videos = warnings.filter((warning) => /^Videos can't be read, .* Install/.test(warning));
    expect(videos).toHaveLength((await hasVideoSupport()) ? 0 : 1);
  });

  it('responds to an unknown route with 404 and a detail', async () => {
    expect(await api.ask('GET', '/api/v1/nothing')).toMatchObject({
      status: 404,
      body: { detail: 'No such route: GET /api/v1/nothing' },
    });
  });

  it('describes VQL by its schema in every route that accepts it', async () => {
    const description = await api.must<Description>(200, 'GET', '/api/v1/openapi.json');
    const list = expect.objectContaining({
      type: 'array',
      items: { $ref: '#/components/schemas/VqlFilter' },
    }) as unknown;
    expect([...describedVql(description)].sort()).toEqual(TAKE_VQL.map((operation) => [operation, list]));
    const { properties = {} } = description.components.schemas['VqlFilter']!;
    expect(Object.keys(properties)).toEqual([...Object.keys(VQL_FILTERS), 'and', 'or', 'not']);
    for (const [name, { ops }] of Object.entries(VQL_FILTERS))
      expect(properties[name]!.oneOf ?? [properties[name]]).toHaveLength(Object.keys(ops).length);
  });

  it('describes the VQL of saved views by the same schema', async () => {
    const { components } = await api.must<Description>(200, 'GET', '/api/v1/openapi.json');
    expect(components.schemas['SavedView']).toMatchObject({
      properties: { filters: { properties: { vql: { items: { $ref: '#/components/schemas/VqlFilter' } } } } },
    });
  });

  it('has an up-to-date openapi.json, which `npm run describe` writes', async () => {
    const kept = await readFile(join(__dirname, '..', '..', 'openapi.json'), 'utf8');
    expect(descriptionText(described.description)).toEqual(kept);
  });

  it('gives each operation a unique id and a group', () => {
    const { paths, tags } = described.description;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    const groups = new Set(tags.map(({ name }) => name));
    expect(operations.filter((each) => each.tags?.length !== 1 || !groups.has(each.tags[0]!))).toEqual([]);
  });

  it('describes itself as OpenAPI 3.1', async () => {
    const description = await api.must<{ openapi: string }>(200, 'GET', '/api/v1/openapi.json');
    expect(description.openapi).toMatch(/^3\.1/);
  });
});
