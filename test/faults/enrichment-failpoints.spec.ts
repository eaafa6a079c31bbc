import { join } from 'node:path';
import { formOf } from '../support/api-client';
import { COLOUR_ENCODER, writeColoured } from '../support/colour-encoder';
import { writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { SiteModels } from '../support/site-models';
import { StubModelServer } from '../support/stub-model-server';
import { ADDED_FINDINGS_FAILPOINTS, allOr, ENRICHMENT_FAILPOINTS, OBJECT_FAILPOINTS } from './failpoints';

const PER_KILL_MS = 30_000;
const [CAPTIONER, ENCODER] = ['site-captioner_v00', 'colours_v00'];
const [DETECTOR, OBJECT_CAPTIONER] = ['site-detector_v00', 'object-captioner_v00'];
const PICTURES = 6;
const ADDED = 3;

interface Preview {
  readonly file_name: string;
  readonly caption: string | null;
}

describe('the program, killed at a failpoint while a dataset is enriched', () => {
  let home: ProgramHome;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;
  /** The same pictures, with an object that people marked. */
  let marked: string;
  let captions = 0;
  let withObjects: string;

  beforeAll(async () => {
    server = await StubModelServer.start({ ...COLOUR_ENCODER, caption: () => `Caption ${(captions += 1)}` });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url);
    await models.addCaptioner(DETECTOR, server.url, { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } });
    await models.addCaptioner(OBJECT_CAPTIONER, server.url, { type: 'CAPTION_OBJECTS' });
    await models.addEncoder(ENCODER, server.url, { outputs: { dimension: 3 } });
    home = await ProgramHome.make({ MODELS_DIR: models.folder });
    await home.start();
    const folder = join(home.folder, 'source');
    for (let seed = 0; seed < PICTURES; seed += 1)
      await writeColoured(join(folder, `${seed}.jpg`), seed % 3 === 0 ? 'red' : 'blue', seed);
    source = await home.api.indexed('Source', folder);
    marked = await home.api.indexed('Marked', folder);
    // As the detector finds it.
    const thing = { label: 'thing', bounding_box: { x: 0.1, y: 0.2, width: 0.4, height: 0.4 } };
    await home.api.must(202, 'POST', `/api/v1/dataset/${marked}/annotations`, {
      annotations: [{ file_name: '0.jpg', objects: [thing] }],
    });
    await home.api.untilStatus(marked, ['READY']);
  });

  afterAll(async () => {
    await home.remove();
    await server.close();
    await models.remove();
  });

  const copies = async (of = source): Promise<string[]> =>
    (await home.api.must<{ id: string; source_dataset_id: string | null }[]>(200, 'GET', '/api/v1/datasets'))
      .filter((dataset) => dataset.source_dataset_id === of)
      .map(({ id }) => id);

  const enrichedAfterDeath = async (point: string, enrichments: object, of = source): Promise<string> => {
    const known = new Set(await copies(of));
    await home.dieAt(point, (api) =>
      api.must(200, 'POST', `/api/v1/dataset/${of}/enrich_dataset`, { enrichment_models: enrichments }),
    );
    const made = (await copies(of)).filter((id) => !known.has(id));
    expect(made).toHaveLength(1);
    await home.api.untilStatus(made[0]!, ['READY']);
    await home.api.untilStatus(of, ['READY']);
    const { tasks } = await home.api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${of}`);
    expect(tasks[0]).toMatchObject({ task_type: 'ENRICHMENT', status: 'COMPLETED', progress_percentage: 100 });
    return made[0]!;
  };
  const previews = async (id: string, entityType = 'IMAGES'): Promise<Preview[]> => {
    const { clusters } = await home.api.must<{ clusters: { previews: Preview[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=4&entity_type=${entityType}`,
    );
    return clusters.flatMap((cluster) => cluster.previews);
  };
  /** There is one caption per picture, and all captions differ. */
  const expectEachOnce = (captioned: readonly Preview[]): void => {
    expect(captioned.map((preview) => preview.file_name).sort()).toEqual(
      Array.from({ length: PICTURES }, (_, seed) => `${seed}.jpg`),
    );
    expect(new Set(captioned.map(({ caption }) => caption)).size).toBe(PICTURES);
  };

  it.each(allOr(['findings-journalled', 'before-flip'], ENRICHMENT_FAILPOINTS))(
    'resumes after %s, with each picture captioned once and found by a text in the copy',
    async (point) => {
      const asked = server.requests;
      const enrichments = { CAPTION_IMAGES: CAPTIONER, MULTIMODEL_IMAGE_ENCODING: ENCODER };
      const copy = await enrichedAfterDeath(point, enrichments);
      expectEachOnce(await previews(copy));
      // Pictures in the journal are not requested again.
      expect(server.requests - asked).toBeLessThanOrEqual(point === 'findings-stored' ? 3 * PICTURES : 2 * PICTURES);
      const { results } = await home.api.must<{ results: Preview[] }>(200, 'POST', `/api/v1/vector_search/${copy}`, {
        text: 'something red',
        entity_type: 'IMAGES',
        limit: 2,
      });
      expect(results.map(({ file_name: name }) => name).sort()).toEqual(['0.jpg', '3.jpg']);
    },
    60_000 + PER_KILL_MS,
  );

  it.each(allOr(['findings-journalled'], ADDED_FINDINGS_FAILPOINTS))(
    'resumes after %s while media are added to a copy, with each new picture captioned once',
    async (point) => {
      const [copy] = await copies();
      const names = async (): Promise<string[]> =>
        (await previews(copy!)).map(({ file_name: name, caption }) => `${name} ${String(caption !== null)}`);
      const before = await names();
      const folder = join(home.folder, point);
      for (let seed = 0; seed < ADDED; seed += 1) await writePicture(join(folder, `${point} ${seed}.jpg`), 100 + seed);
      const asked = server.requests;
      await home.dieAt(point, (api) =>
        api.must(202, 'POST', `/api/v1/dataset/${copy!}/add_media`, formOf({ s3_uri: folder })),
      );
      await home.api.untilStatus(copy!, ['PARTIAL INDEX']);
      const added = Array.from({ length: ADDED }, (_, seed) => `${point} ${seed}.jpg true`);
      expect((await names()).sort()).toEqual([...before, ...added].sort());
      expect(server.requests - asked).toBeLessThanOrEqual(point === 'findings-stored' ? 3 * ADDED : 2 * ADDED);
    },
    60_000 + PER_KILL_MS,
  );

  it.each(allOr(['findings-journalled', 'tags-carried'], [...OBJECT_FAILPOINTS, 'findings-journalled:2']))(
    'resumes after %s, with each object found and captioned once in the copy',
    async (point) => {
      const asked = server.requests;
      const enrichments = { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: OBJECT_CAPTIONER };
      const copy = await enrichedAfterDeath(point, enrichments, marked);
      expectEachOnce(await previews(copy, 'OBJECTS'));
      expect(await home.api.must<object>(200, 'GET', `/api/v1/dataset/${copy}`)).toMatchObject({ n_objects: PICTURES });
      const found = `/api/v1/dataset/${copy}/annotations?source=${DETECTOR}`;
      expect(await home.api.must<object>(200, 'GET', found)).toMatchObject({ total: PICTURES });
      expect(server.requests - asked).toBeLessThanOrEqual((point === 'findings-stored' ? 3 : 2) * PICTURES);
      withObjects = copy;
    },
    60_000 + PER_KILL_MS,
  );

  it.each(allOr(['findings-journalled'], ENRICHMENT_FAILPOINTS))(
    'resumes after %s, with each existing object captioned again once',
    async (point) => {
      const before = new Set((await previews(withObjects, 'OBJECTS')).map(({ caption }) => caption));
      const copy = await enrichedAfterDeath(point, { CAPTION_OBJECTS: OBJECT_CAPTIONER }, withObjects);
      const captioned = await previews(copy, 'OBJECTS');
      expectEachOnce(captioned);
      expect(captioned.filter(({ caption }) => before.has(caption))).toEqual([]);
    },
    60_000 + PER_KILL_MS,
  );
});
