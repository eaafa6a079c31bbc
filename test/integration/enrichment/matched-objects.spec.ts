import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { pictureBytes } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const [DETECTOR, OTHER] = ['site-detector_v00', 'other-detector_v00'];
const SURE = 0.1 + 0.2;

interface Listed {
  readonly id: string;
  readonly file_path: string;
  readonly label: string;
  readonly confidence: number;
  readonly shape: object;
}

describe('objects that a model finds where people marked them', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let id: string;

  const detect = async (model: string): Promise<void> => {
    const body = { enrichment_models: { OBJECT_DETECTION: model } };
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/enrich_dataset?in_place=true`, body);
    await additions.api.untilStatus(id, ['READY']);
  };
  const objects = async (): Promise<number> =>
    (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT').length;
  const list = async (source: string): Promise<Listed[]> => {
    const path = `/api/v1/dataset/${id}/annotations?source=${source}`;
    const { annotations } = await additions.api.must<{ annotations: Listed[] }>(200, 'GET', path);
    return annotations.sort((a, b) => `${a.file_path} ${a.label}`.localeCompare(`${b.file_path} ${b.label}`));
  };
  const sources = async (): Promise<string[]> =>
    (
      await additions.api.must<{ sources: { name: string; n_boxes: number }[] }>(
        ...([200, 'GET', `/api/v1/dataset/${id}/annotation_sources`] as const),
      )
    ).sources.map(({ name, n_boxes: boxes }) => `${name} ${boxes}`);
  const found = (name: string) => [
    expect.objectContaining({ file_path: name, label: 'ball', confidence: SURE }) as unknown,
    expect.objectContaining({ file_path: name, label: 'shadow', confidence: 0.5 }) as unknown,
  ];

  beforeAll(async () => {
    server = await StubModelServer.start({
      objects: ({ model }) =>
        model === 'other'
          ? [{ label: 'ball', confidence: 1 / 3, box: [0.25, 0.25, 0.75, 0.75] }]
          : [
              { label: 'ball', confidence: SURE, box: [0.25, 0.25, 0.75, 0.75] },
              { label: 'shadow', confidence: 0.5, box: [0.5, 0.5, 1, 1] },
            ],
    });
    models = await SiteModels.make();
    const detector = { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } };
    await models.addCaptioner(DETECTOR, server.url, detector);
    await models.addCaptioner(OTHER, server.url, { ...detector, server: { boxes: 'fractions', model: 'other' } });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', [0, 1, 2]);
    // Pictures of 160 by 120 pixels.
    const marked = 'filename,col_x,row_y,width,height,label\n0.jpg,40,30,80,61,ball\n1.jpg,40,30,80,60,ball\n';
    await writeFile(join(folder, 'object_annotations.csv'), marked);
    id = await additions.indexed('Marked', folder);
    await detect(DETECTOR);
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  it('are all in the source of the model, and no rows', async () => {
    const all = await list(DETECTOR);
    expect(all).toEqual(['0.jpg', '1.jpg', '2.jpg'].flatMap(found));
    expect(all[0]!.shape).toEqual({ type: 'box', x: 40, y: 30, width: 80, height: 60 });
    expect(new Set(all.map((each) => each.id)).size).toBe(6);
    expect(await objects()).toBe(2 + 4);
    expect(await sources()).toEqual(['ground_truth 2', `${DETECTOR} 6`]);
  });

  it('stay when media are added and the dataset is reindexed', async () => {
    const before = await list(DETECTOR);
    await additions.addUploads(id, [{ name: 'later.jpg', bytes: await pictureBytes(7) }]);
    await additions.api.untilStatus(id, ['PARTIAL INDEX']);
    await additions.reindex(id);
    await additions.api.untilStatus(id, ['READY']);
    expect(await list(DETECTOR)).toEqual([...before, ...found('later.jpg')]);
  });

  it('are replaced by those of the next detector', async () => {
    await detect(OTHER);
    expect(await list(OTHER)).toEqual(
      ['0.jpg', '1.jpg', '2.jpg', 'later.jpg'].map(
        (path) => expect.objectContaining({ file_path: path, label: 'ball', confidence: 1 / 3 }) as unknown,
      ),
    );
    expect(await objects()).toBe(2 + 2);
    expect(await sources()).toEqual(['ground_truth 2', `${OTHER} 4`]);
  });
});
