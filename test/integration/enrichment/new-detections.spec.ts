import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { Additions } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const [DETECTOR, OTHER_DETECTOR] = ['site-detector_v00', 'other-detector_v00'];
const CAPTIONER = 'object-captioner_v00';
const PICTURES = [0, 1, 2];

describe('a detection after another one', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let detected: string;

  const enrich = async (id: string, enrichments: object): Promise<string> => {
    const { dataset_id: copy } = await additions.api.must<{ dataset_id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/enrich_dataset`,
      { enrichment_models: enrichments },
    );
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
    models = await SiteModels.make();
    const detector = { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } };
    await models.addCaptioner(DETECTOR, server.url, detector);
    await models.addCaptioner(OTHER_DETECTOR, server.url, {
      ...detector,
      server: { boxes: 'fractions', model: 'other' },
    });
    await models.addCaptioner(CAPTIONER, server.url, { type: 'CAPTION_OBJECTS' });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const source = await additions.indexed('Source', await additions.writeFolder('source', PICTURES));
    detected = await enrich(source, { OBJECT_DETECTION: DETECTOR });
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  it('gives clusters of objects other ids, and keeps those of images', async () => {
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
});
