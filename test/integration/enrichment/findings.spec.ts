import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { SiteModels } from '../../support/site-models';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const DETECTOR = 'site-detector_v00';
const CAPTIONER = 'object-captioner_v00';

interface Found {
  readonly objects: { readonly media_ids: readonly string[] };
}

interface LabelSource {
  readonly label: string;
  readonly source: string | null;
  readonly confidence: number | null;
}

interface ListedPicture {
  readonly n_objects: number;
  readonly objects: readonly {
    readonly caption: string | null;
    readonly caption_source: string | null;
    readonly label_sources: readonly LabelSource[];
  }[];
}

describe('findings of models', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let captionServer: StubModelServer;
  let models: SiteModels;
  let source: string;
  let copy: string;

  const findings = (query = ''): Promise<Found> =>
    additions.api.must<Found>(200, 'GET', `/api/v1/enrichment/${copy}/findings${query}`);
  const objectsOf = async (dataset: string, picture: string): Promise<ListedPicture> => {
    const path = `/api/v1/dataset/${dataset}/media?media_ids=${picture}&with_objects=true`;
    return (await additions.api.must<{ media: ListedPicture[] }>(200, 'GET', path)).media[0]!;
  };
  const idOf = async (path: string): Promise<string> =>
    (await additions.rows(copy)).find((row) => row.kind === 'IMAGE' && row.path === path)!.id;

  beforeAll(async () => {
    captionServer = await StubModelServer.start({ caption: () => 'A crop' });
    let pictures = 0;
    // The model finds nothing in the last picture.
    server = await StubModelServer.start({
      objects: () => ((pictures += 1) > 2 ? [] : [{ label: 'lamp', confidence: 0.75, box: [0, 0, 0.5, 0.5] }]),
    });
    models = await SiteModels.make();
    await models.addCaptioner(DETECTOR, server.url, {
      type: 'OBJECT_DETECTION',
      server: { boxes: 'fractions', atOnce: 1 },
    });
    await models.addCaptioner(CAPTIONER, captionServer.url, { type: 'CAPTION_OBJECTS' });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', [0, 1, 2, 3]);
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n0.jpg,40,30,80,61,ball\n',
    );
    source = await additions.indexed('Source', folder);
    copy = await additions.api.enriched(source, { CAPTION_OBJECTS: CAPTIONER, OBJECT_DETECTION: DETECTOR });
  });

  afterAll(async () => {
    await running.close();
    await Promise.all([server.close(), captionServer.close()]);
    await models.remove();
  });

  it('are listed by picture, in pages', async () => {
    const rows = await additions.rows(copy);
    const objects = rows.filter(({ kind }) => kind === 'OBJECT');
    // The object marked by a person also has a caption by a model.
    expect(objects.map(({ labels: [label] }) => label).sort()).toEqual(['ball', 'lamp', 'lamp']);
    const parents = new Set(objects.map(({ parentId }) => parentId));
    const inOrder = rows.filter(({ id }) => parents.has(id)).map(({ id }) => id);
    expect(await findings()).toEqual({
      n_media: 4,
      captions: { model_id: null, count: 0, media_ids: [] },
      labels: { model_id: null, count: 0, media_ids: [] },
      objects: { model_id: DETECTOR, count: inOrder.length, n_objects: 3, media_ids: inOrder },
      text: { model_id: null, count: 0, media_ids: [] },
      limit: 100,
      offset: 0,
    });
    expect(await findings('?limit=1&offset=1')).toMatchObject({
      objects: { count: inOrder.length, media_ids: inOrder.slice(1, 2) },
    });
  });

  it('are listed with each picture, beside annotations by people', async () => {
    const { objects } = await findings();
    const given: LabelSource[] = [];
    for (const picture of objects.media_ids) {
      const listed = await objectsOf(copy, picture);
      expect(listed.objects).toHaveLength(listed.n_objects);
      for (const { caption, caption_source: who, label_sources: labels } of listed.objects) {
        expect([caption, who]).toEqual(['A crop', CAPTIONER]);
        given.push(...labels);
      }
    }
    const lamp = { label: 'lamp', source: DETECTOR, annotation_source: DETECTOR, confidence: 0.75 };
    expect(given.sort((a, b) => (a.label < b.label ? -1 : 1))).toEqual([
      { label: 'ball', source: 'User', annotation_source: 'ground_truth', confidence: null },
      lamp,
      lamp,
    ]);
  });

  it('are not in the source', async () => {
    const listed = await objectsOf(source, await idOf('0.jpg'));
    expect(listed.objects).toEqual([
      expect.objectContaining({
        caption: null,
        caption_source: null,
        label_sources: [{ label: 'ball', source: 'User', annotation_source: 'ground_truth', confidence: null }],
      }),
    ]);
    expect(await objectsOf(source, await idOf('1.jpg'))).toMatchObject({ n_objects: 0, objects: [] });
  });
});
