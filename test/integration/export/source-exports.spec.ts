import { EXPORT_FORMATS } from '../../../src/modules/export/archive/formats';
import { AnnotationSweep } from '../../../src/modules/versions/annotations/annotation-files';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { SAID_LABEL, SAID_SHAPES } from '../../support/said-shapes';
import { runningApp } from '../../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1000;
const WITHOUT_IMAGES = EXPORT_FORMATS.filter((format) => format !== 'class_folders');

describe('exports of a source', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let exports: ExportClient;
  let dataset: string;

  beforeAll(async () => {
    exports = new ExportClient(additions.api);
    // Pictures of 160 by 120 pixels.
    dataset = await additions.indexed('Sources', await additions.writeFolder('Pictures', [0, 1, 2]));
    await additions.api.must(200, 'POST', `/api/v1/dataset/${dataset}/annotations`, {
      source: 'shapes',
      annotations: SAID_SHAPES,
    });
  });

  const archive = async (query: string, of = 'shapes'): Promise<Map<string, Buffer>> =>
    exports.archive(dataset, await exports.start(dataset, `${query}&source=${of}`));
  const jsonOf = (bytes: Buffer | undefined): Record<string, Record<string, unknown>[]> =>
    JSON.parse(bytes!.toString()) as Record<string, Record<string, unknown>[]>;
  const preview = (format: string) =>
    additions.api.must<{ losses: object[]; n_annotations: number }>(
      200,
      'GET',
      `/api/v1/dataset/${dataset}/export_preview?export_format=${format}&source=shapes`,
    );

  it('have all of it in COCO', async () => {
    const { images, annotations, categories } = jsonOf((await archive('export_format=coco')).get('annotations.json'));
    const [first] = images!.filter((image) => image['file_name'] === '0.jpg');
    expect(first).toMatchObject({ width: 160, height: 120, labels: ['harbour'] });
    const byId = new Map(annotations!.map((each) => [each['annotation_id'], each]));
    expect([...byId.keys()].sort()).toEqual(['box-1', 'mask-1', 'points-1', 'polygon-1']);
    expect(byId.get('box-1')).toMatchObject({ bbox: [16, 12, 40, 30], score: 0.125, attributes: { occluded: true } });
    expect(byId.get('mask-1')).toMatchObject({
      iscrowd: 1,
      segmentation: { size: [120, 160], counts: [200, 1000, 18_000] },
    });
    expect(byId.get('polygon-1')).toMatchObject({ segmentation: [[0, 0, 9, 0, 9, 9]], bbox: [0, 0, 9, 9], area: 40.5 });
    expect(byId.get('points-1')).toMatchObject({ keypoints: [1, 2, 2, 5, 6, 1], num_keypoints: 2 });
    expect(categories!.map(({ name }) => name)).toEqual(expect.arrayContaining([SAID_LABEL, 'x', 'p']));
    expect(await preview('coco')).toEqual({ losses: [], n_media: 3, n_annotations: 5 });
  });

  it.each(WITHOUT_IMAGES)('can be written as %s, with and without images, and say what is lost', async (format) => {
    const { losses } = await preview(format);
    for (const images of [false, true]) {
      const task = await exports.start(dataset, `export_format=${format}&source=shapes&include_images=${images}`);
      const { result_message: message } = await exports.untilCompleted(dataset, task);
      expect((await exports.archive(dataset, task)).size).toBeGreaterThan(0);
      expect(message === null).toBe(losses.length === 0);
    }
  });

  it('say how shapes are changed', async () => {
    expect((await preview('cvat')).losses).not.toContainEqual(expect.objectContaining({ what: 'masks' }));
    expect((await preview('voc')).losses).toEqual(
      expect.arrayContaining([
        { what: 'polygons', count: 1, becomes: 'boxes' },
        { what: 'masks', count: 1, becomes: 'boxes' },
        { what: 'keypoints', count: 1, becomes: 'boxes' },
        { what: 'labels of whole pictures', count: 1, becomes: null },
        { what: 'confidences', count: 1, becomes: null },
        { what: 'ids', count: 4, becomes: null },
      ]),
    );
    const document = (await archive('export_format=voc')).get('Annotations/0.xml')!.toString();
    expect(document).toContain('<name>a &#60;b&#62; &#38; &#34;c&#34;</name>');
  });

  it('choose a folder by the label of a picture', async () => {
    const members = await archive('export_format=class_folders&include_images=true');
    expect([...members.keys()]).toEqual(['harbour/0.jpg']);
    expect((await preview('class_folders')).losses).toContainEqual({
      what: 'pictures without a label',
      count: 2,
      becomes: null,
    });
  });

  it('have what the table says by default', async () => {
    const members = await exports.archive(dataset, await exports.start(dataset, 'export_format=voc'));
    expect([...members.keys()].sort()).toEqual([
      'Annotations/0.xml',
      'Annotations/1.xml',
      'Annotations/2.xml',
      'ImageSets/Main/default.txt',
    ]);
  });

  it('have the labels of today where no source is asked for', async () => {
    await additions.api.must(200, 'POST', `/api/v1/dataset/${dataset}/annotations`, {
      source: 'ground_truth',
      annotations: [{ file_name: '1.jpg', label: 'boat' }],
    });
    const members = await exports.archive(dataset, await exports.start(dataset, 'export_format=csv'));
    const lines = members.get('metadata.csv')!.toString().split('\n');
    expect(lines.filter((line) => line.includes('"[""boat""]"'))).toEqual([expect.stringContaining(',1.jpg,')]);
  });

  it('have the annotations of the time when they started', async () => {
    const task = await exports.start(dataset, 'export_format=coco&source=shapes');
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${dataset}/annotation_sources/shapes`);
    const sweep = running.app.get(AnnotationSweep);
    for (const days of [1, 2]) await sweep.sweep(new Date(Date.now() + days * DAY_MS));
    const { annotations } = jsonOf((await exports.archive(dataset, task)).get('annotations.json'));
    expect(annotations).toHaveLength(4);
    const [pinned] = await additions.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM export_task WHERE annotation_state IS NOT NULL',
    );
    expect(pinned!.n).toBe(0);
    const refused = `/api/v1/dataset/${dataset}/export_context_async?file_name=a&export_format=coco&source=shapes`;
    await additions.api.must(404, 'GET', refused);
  });
});
