import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelRegistry } from '../../../src/common/engine/models/model-registry';
import { Additions } from '../../support/additions';
import { COLOUR_ENCODER, writeColoured, type Colour } from '../../support/colour-encoder';
import { SiteModels } from '../../support/site-models';
import { SnapshotClient } from '../../support/snapshot-client';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const [ENCODER, CALIBRATED, DETECTOR] = ['colours_v00', 'calibrated-colours_v00', 'detector_v00'];
const PICTURES: Readonly<Record<string, Colour>> = {
  'rose.jpg': 'red',
  'lawn.jpg': 'green',
  'hill.jpg': 'green',
  'pool.jpg': 'blue',
};

interface Found {
  readonly file_name: string;
  readonly relevance_score: number | null;
}
type Scores = readonly (readonly [string, number | null])[];

describe('text search in pictures', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;
  let copy: string;

  beforeAll(async () => {
    server = await StubModelServer.start({
      ...COLOUR_ENCODER,
      objects: () => [{ label: 'corner', confidence: 0.9, box: [0, 0, 0.25, 0.25] }],
    });
    models = await SiteModels.make();
    const common = { outputs: { dimension: 3 }, server: { retries: 1 } };
    await models.addEncoder(ENCODER, server.url, common);
    await models.addEncoder(CALIBRATED, server.url, { ...common, calibration: { unrelated: 0.5, matching: 0.9 } });
    await models.addCaptioner(DETECTOR, server.url, { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } });
    running = await startTestApp({ MODELS_DIR: models.folder, ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    additions = new Additions(running);
    const folder = additions.place('source');
    for (const [at, [name, colour]] of Object.entries(PICTURES).entries())
      await writeColoured(join(folder, name), colour, at);
    await writeFile(
      join(folder, 'image_annotations.csv'),
      'filename,label,caption\npool.jpg,text,A red fire truck in the yard\n',
    );
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\nrose.jpg,10,10,60,60,leaf\nlawn.jpg,20,20,50,50,leaf\n',
    );
    source = await additions.indexed('Source', folder);
    copy = await enrich(source, ENCODER);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });
  afterEach(() => server.recover());

  const enrich = async (id: string, model: string, others: object = {}): Promise<string> => {
    return additions.api.enriched(id, { MULTIMODEL_IMAGE_ENCODING: model, ...others });
  };
  const pathOf = (id: string, query: string, type = 'IMAGES'): string =>
    `/api/v1/explore/${id}?entity_type=${type}&threshold=0&${query}`;
  const explored = async (id: string, query: string, type = 'IMAGES'): Promise<Scores> => {
    const { clusters } = await additions.api.must<{ clusters: { previews: Found[] }[] }>(
      200,
      'GET',
      pathOf(id, query, type),
    );
    return clusters
      .flatMap(({ previews }) => previews.map(({ file_name: name, relevance_score: score }) => [name, score] as const))
      .sort(([, a], [, b]) => a! - b!);
  };
  const names = (scores: Scores): string[] => scores.map(([name]) => name).sort();
  const semantic = (value: string, threshold?: number): string =>
    `vql=${encodeURIComponent(JSON.stringify([{ text: { op: 'semantic', value, threshold } }]))}`;
  const near = (distance: number): unknown => expect.closeTo(distance, 1);
  const byText = (id: string, text: string, limit: number) =>
    additions.api.ask('POST', `/api/v1/vector_search/${id}`, { text, entity_type: 'IMAGES', limit });

  it('finds pictures without a caption, nearest first', async () => {
    expect(names(await explored(copy, 'caption=something green&textual_similarity_threshold=0.3'))).toEqual([
      'hill.jpg',
      'lawn.jpg',
    ]);
    const all = await explored(copy, 'caption=something green');
    expect(all).toHaveLength(4);
    expect(
      all
        .slice(0, 2)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['hill.jpg', 'lawn.jpg']);
    // The caption of another picture is unrelated to the text, with a distance of 1.
    expect(all.map(([, score]) => score)).toEqual([near(0), near(0), near(1), near(1.5)]);
    expect(names(await explored(copy, semantic('something green', 0.7)))).toEqual(['hill.jpg', 'lawn.jpg']);
    expect(await explored(source, semantic('something green', 0.7))).toEqual([]);
    const negated = [{ not: { text: { op: 'semantic', value: 'something green', threshold: 0.7 } } }];
    expect(names(await explored(copy, `vql=${encodeURIComponent(JSON.stringify(negated))}`))).toEqual([
      'pool.jpg',
      'rose.jpg',
    ]);
  });

  it('uses the caption or the picture, whichever is nearer', async () => {
    const found = await explored(copy, 'caption=a red fire truck in the yard&textual_similarity_threshold=0.3');
    expect(names(found)).toEqual(['pool.jpg', 'rose.jpg']);
    expect(new Map(found).get('pool.jpg')).toBe(0);
    expect(names(await explored(copy, semantic('blue', 0.9)))).toEqual(['pool.jpg']);
    expect(names(await explored(source, 'caption=a red fire truck in the yard'))).toEqual(['pool.jpg']);
    const byWords = [{ text: { op: 'fts', value: 'green' } }];
    expect(await explored(copy, `vql=${encodeURIComponent(JSON.stringify(byWords))}`)).toEqual([]);
  });

  it('is available in vector_search, which names the models', async () => {
    const listed = await additions.api.must<object[]>(200, 'GET', `/api/v1/vector_search/${copy}/embedding_models`);
    expect(listed).toMatchObject([
      { id: ENCODER, type: 'MULTIMODEL_IMAGE_ENCODING', entity_type: 'IMAGES', dimension: 3, is_default: true },
      { id: 'hashed-words_v00', type: 'CAPTION_IMAGES', entity_type: 'IMAGES', dimension: 256, is_default: false },
      { id: ENCODER, type: 'MULTIMODEL_IMAGE_ENCODING', entity_type: 'OBJECTS', dimension: 3, is_default: true },
    ]);
    expect(await byText(copy, 'red', 2)).toMatchObject({
      status: 200,
      body: {
        total: 2,
        results: [
          { file_name: 'rose.jpg', relevance_score: near(0), relevance_score_type: 'cosine_distance' },
          { file_name: 'pool.jpg' },
        ],
      },
    });
  });

  it('also finds objects by the content of their boxes', async () => {
    expect(names(await explored(copy, semantic('red', 0.5), 'OBJECTS'))).toEqual(['rose.jpg']);
    expect(names(await explored(copy, semantic('green', 0.5), 'OBJECTS'))).toEqual(['lawn.jpg']);
    const rows = await additions.rows(copy);
    expect(rows.map(({ multimodalEmbedding }) => multimodalEmbedding?.length)).toEqual(Array(6).fill(3));
  });

  it('also finds objects of the same enrichment, also after clustering', async () => {
    const detected = await enrich(source, ENCODER, { OBJECT_DETECTION: DETECTOR });
    expect(names(await explored(detected, semantic('green', 0.5), 'OBJECTS'))).toEqual([
      'hill.jpg',
      'lawn.jpg',
      'lawn.jpg',
    ]);
    const found = await enrich(copy, ENCODER, { OBJECT_DETECTION: DETECTOR });
    for (const id of [detected, found])
      expect(names(await explored(id, semantic('green', 0.7)))).toEqual(['hill.jpg', 'lawn.jpg']);
    const later = await additions.api.must<{ dataset_id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${copy}/enrich_dataset`,
      { enrichment_models: { OBJECT_DETECTION: DETECTOR } },
    );
    await additions.api.untilStatus(later.dataset_id, ['READY']);
    expect(names(await explored(later.dataset_id, semantic('green', 0.7)))).toEqual(['hill.jpg', 'lawn.jpg']);
    expect(names(await explored(later.dataset_id, semantic('green', 0.5), 'OBJECTS'))).toEqual([
      'hill.jpg',
      'lawn.jpg',
      'lawn.jpg',
    ]);
  });

  it('returns scores on the scale of the model', async () => {
    const calibrated = await enrich(copy, CALIBRATED);
    const plain = new Map(await explored(copy, 'caption=something green'));
    const scaled = new Map(await explored(calibrated, 'caption=something green'));
    for (const name of ['lawn.jpg', 'hill.jpg', 'rose.jpg'])
      expect(scaled.get(name)).toBeCloseTo(Math.min(2, Math.max(0, (plain.get(name)! - 0.1) / 0.4)), 4);
    expect(names(await explored(calibrated, semantic('something green', 0.02)))).toEqual(['hill.jpg', 'lawn.jpg']);
    expect(names(await explored(calibrated, 'caption=something green'))).toHaveLength(4);
  });

  it('previews the dimension of the vectors', async () => {
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${source}/context`,
    );
    const { previews } = await additions.api.must<{ previews: { results: object }[] }>(
      200,
      'POST',
      `/api/v1/enrichment/${source}/${context}/previews_enrichment_result`,
      { enrichment_models: { MULTIMODEL_IMAGE_ENCODING: ENCODER } },
    );
    expect(previews.map(({ results }) => results)).toEqual(
      Array(4).fill({ MULTIMODEL_IMAGE_ENCODING: { model_id: ENCODER, dimension: 3 } }),
    );
  });

  it('keeps pictures without a vector if the model refuses them', async () => {
    server.fail(FAULTS.status(400, 'The picture is too small'), 1);
    const refusing = await enrich(source, ENCODER);
    const { files } = await additions.api.must<{ files: { detail: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${refusing}/quarantine`,
    );
    expect(files).toEqual([
      expect.objectContaining({
        reason: 'refused_by_model',
        detail: expect.stringContaining(`MULTIMODEL_IMAGE_ENCODING by ${ENCODER}: `) as unknown,
      }),
    ]);
    const rows = await additions.rows(refusing);
    expect(rows.filter(({ multimodalEmbedding }) => multimodalEmbedding === null)).toHaveLength(1);
  });

  it('keeps vectors in snapshots, after additions and after reindexing', async () => {
    const id = await enrich(source, ENCODER);
    const snapshots = new SnapshotClient(additions.api);
    const { snapshot_id: before } = await snapshots.keep(id);
    await writeColoured(additions.place('more', 'leaf.jpg'), 'green', 9);
    await additions.addFolder(id, additions.place('more'));
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
    const green = ['hill.jpg', 'lawn.jpg', 'leaf.jpg'];
    expect(names(await explored(id, semantic('green', 0.7)))).toEqual(green);
    await additions.reindex(id);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
    expect(names(await explored(id, semantic('green', 0.7)))).toEqual(green);
    const kept = await explored(id, `${semantic('green', 0.7)}&snapshot_id=${before}`);
    expect(names(kept)).toEqual(['hill.jpg', 'lawn.jpg']);
    const { id: cloned } = await snapshots.clone(id, before);
    await snapshots.restore(id, before);
    for (const each of [cloned, id])
      expect(names(await explored(each, semantic('green', 0.7)))).toEqual(['hill.jpg', 'lawn.jpg']);
  });

  it('returns 503 while the server is unavailable, except for cached texts', async () => {
    await explored(copy, semantic('known green', 0.7));
    server.fail(FAULTS.status(503));
    const unavailable = {
      detail: expect.stringMatching(/^The model server at .* is not available\. Try again/) as unknown,
    };
    expect(await additions.api.must(503, 'GET', pathOf(copy, semantic('a new text', 0.7)))).toEqual(unavailable);
    expect(await byText(copy, 'a new text', 2)).toMatchObject({ status: 503, body: unavailable });
    expect(names(await explored(copy, semantic('known green', 0.6)))).toEqual(['hill.jpg', 'lawn.jpg']);
    server.recover();
    await explored(copy, semantic('a new text', 0.7));
  });

  it('returns 400 for a text that the model refuses', async () => {
    for (const route of ['explore/', 'dataset/']) {
      server.fail(FAULTS.status(400, 'The text is too long'), 1);
      const path = pathOf(copy, semantic(`refused by ${route}`));
      const asked = route === 'explore/' ? path : path.replace(`explore/${copy}`, `dataset/${copy}/facets`);
      expect(await additions.api.must(400, 'GET', asked)).toMatchObject({
        detail: expect.stringContaining('The text is too long') as unknown,
      });
    }
  });

  it('fails without the model; other searches work', async () => {
    await models.take(ENCODER);
    await running.app.get(ModelRegistry).refresh();
    const gone = { detail: expect.stringMatching(new RegExp(`^There is no model ${ENCODER} `)) as unknown };
    expect(await additions.api.must(409, 'GET', pathOf(copy, semantic('green')))).toEqual(gone);
    expect(await byText(copy, 'green', 2)).toMatchObject({ status: 409, body: gone });
    expect(await explored(copy, 'labels=[leaf]', 'OBJECTS')).toHaveLength(2);
    expect(
      await additions.api.must<object[]>(200, 'GET', `/api/v1/vector_search/${copy}/embedding_models`),
    ).toMatchObject([{ type: 'CAPTION_IMAGES', is_default: true }]);
  });
});
