import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { Additions } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const [DETECTOR, OTHER_DETECTOR] = ['site-detector_v00', 'other-detector_v00'];
const [CAPTIONER, ENCODER] = ['object-captioner_v00', 'site-encoder_v00'];
const DESCRIBED = { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER, MULTIMODEL_IMAGE_ENCODING: ENCODER };
const PICTURES = [0, 1, 2];

describe('a second detection', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let encoderServer: StubModelServer;
  let models: SiteModels;
  let source: string;
  let detected: string;

  const start = async (id: string, enrichments: object): Promise<string> =>
    (
      await additions.api.must<{ dataset_id: string }>(200, 'POST', `/api/v1/dataset/${id}/enrich_dataset`, {
        enrichment_models: enrichments,
      })
    ).dataset_id;
  const enrich = async (id: string, enrichments: object): Promise<string> => {
    const copy = await start(id, enrichments);
    await additions.api.untilStatus(copy, ['READY']);
    return copy;
  };
  const objectsOf = async (id: string): Promise<MediaRow[]> =>
    (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT');
  const clusterIds = async (id: string, type: string): Promise<string[]> =>
    (
      await additions.api.must<{ clusters: { cluster_id: string }[] }>(
        200,
        'GET',
        `/api/v1/explore/${id}?entity_type=${type}&threshold=0`,
      )
    ).clusters.map(({ cluster_id: cluster }) => cluster);

  beforeAll(async () => {
    let captions = 0;
    server = await StubModelServer.start({
      objects: ({ model }) =>
        model === 'other'
          ? [{ label: 'lamp', confidence: 0.75, box: [0, 0, 0.5, 0.5] }]
          : [
              { label: 'ball', confidence: 0.9, box: [0.25, 0.25, 0.75, 0.75] },
              { label: 'shadow', confidence: 0.5, box: [0.5, 0.5, 1, 1] },
            ],
      caption: () => `Crop number ${(captions += 1)}`,
    });
    encoderServer = await StubModelServer.start();
    models = await SiteModels.make();
    await models.addEncoder(ENCODER, encoderServer.url);
    const detector = { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } };
    await models.addCaptioner(DETECTOR, server.url, detector);
    await models.addCaptioner(OTHER_DETECTOR, server.url, {
      ...detector,
      server: { boxes: 'fractions', model: 'other' },
    });
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS' });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    source = await additions.indexed('Source', await additions.writeFolder('source', PICTURES));
    detected = await enrich(source, { OBJECT_DETECTION: DETECTOR });
  });

  afterAll(async () => {
    await running.close();
    await Promise.all([server.close(), encoderServer.close()]);
    await models.remove();
  });

  it('changes the ids of object clusters, but not those of image clusters', async () => {
    const membersOf = (status: number, id: string, cluster: string): Promise<object> =>
      additions.api.must<object>(status, 'GET', `/api/v1/explore/${id}/clusters/${cluster}`);
    const [[image], [object]] = [await clusterIds(detected, 'IMAGES'), await clusterIds(detected, 'OBJECTS')];
    const captioned = await enrich(detected, { CAPTION_OBJECTS: CAPTIONER });
    await membersOf(200, captioned, object!);
    const next = await enrich(captioned, { OBJECT_DETECTION: OTHER_DETECTOR });
    await membersOf(200, next, image!);
    await membersOf(404, next, object!);
    const [found] = await clusterIds(next, 'OBJECTS');
    await membersOf(200, next, found!);
    const details = await Promise.all(
      (await objectsOf(next)).map(({ id }) =>
        additions.api.must<{ clusters: { cluster_id: string }[] }>(200, 'GET', `/api/v1/dataset/${next}/media/${id}`),
      ),
    );
    expect(details.flatMap(({ clusters }) => clusters.map(({ cluster_id: cluster }) => cluster))).toContain(found);
  });

  it('applies the earlier object models to the new objects only', async () => {
    const described = await enrich(source, DESCRIBED);
    const vectorsOf = async (id: string): Promise<unknown[]> =>
      (await additions.rows(id)).flatMap(({ kind, id: row, multimodalEmbedding: vector }) =>
        kind === 'IMAGE' ? [[row, vector]] : [],
      );
    const [asked, encoded] = [server.requests, encoderServer.requests];
    const next = await enrich(described, { OBJECT_DETECTION: OTHER_DETECTOR });
    const objects = await objectsOf(next);
    expect(objects.map(({ labels }) => labels)).toEqual(PICTURES.map(() => ['lamp']));
    for (const object of objects)
      expect(object).toMatchObject({
        generatedCaption: expect.stringMatching(/^Crop number/) as unknown,
        captionEmbedding: expect.any(Float32Array) as unknown,
        multimodalEmbedding: Float32Array.of(0.6, 0.8),
      });
    expect(await vectorsOf(next)).toEqual(await vectorsOf(described));
    expect(server.requests - asked).toBe(2 * PICTURES.length);
    expect(encoderServer.requests - encoded).toBe(PICTURES.length);
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${next}/context`)).toMatchObject({
      dataset_enrichment_models: { enrichment_models: { ...DESCRIBED, OBJECT_DETECTION: OTHER_DETECTOR } },
    });
  });

  it('does not count replaced objects in the progress of models', async () => {
    const described = await enrich(source, DESCRIBED);
    const progress = async (): Promise<string> => {
      const of = `/api/v1/enrichment/${described}`;
      const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
        200,
        'GET',
        `${of}/context`,
      );
      const { models: each } = await additions.api.must<{ models: { type: string; progress: number }[] }>(
        200,
        'GET',
        `${of}/${context}/status`,
      );
      return each.map(({ type, progress: percent }) => `${type} ${percent}`).join(', ');
    };
    encoderServer.fail(FAULTS.status(503));
    const renewed = await start(described, { OBJECT_DETECTION: OTHER_DETECTOR });
    await waitUntil(
      async () => (await progress()) === 'OBJECT_DETECTION 100, CAPTION_OBJECTS 100, MULTIMODEL_IMAGE_ENCODING 0',
    );
    encoderServer.recover();
    await additions.api.untilStatus(renewed, ['READY']);
    encoderServer.fail(FAULTS.status(503));
    const again = await start(described, { ...DESCRIBED, OBJECT_DETECTION: OTHER_DETECTOR });
    await waitUntil(
      async () => (await progress()) === 'OBJECT_DETECTION 100, CAPTION_OBJECTS 100, MULTIMODEL_IMAGE_ENCODING 0',
    );
    encoderServer.recover();
    await additions.api.untilStatus(again, ['READY']);
  });

  it('names the models that no longer exist', async () => {
    const described = await enrich(source, { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER });
    await models.take(CAPTIONER);
    const next = await enrich(described, { OBJECT_DETECTION: OTHER_DETECTOR });
    expect((await objectsOf(next)).map(({ generatedCaption }) => generatedCaption)).toEqual(PICTURES.map(() => null));
    expect((await additions.tasks(described))[0]).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        `The model ${CAPTIONER} is no longer there, so the new objects have no results of CAPTION_OBJECTS. Restore its folder in MODELS_DIR and apply it again.`,
      ],
    });
  });
});
