import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { pictureBytes } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';

const [CAPTIONER, TAGGER, OTHER_TAGGER] = ['site-captioner_v00', 'site-tagger_v00', 'other-tagger_v00'];
/** Distinguishes portrait from landscape format; square counts as portrait. */
const SHAPE_TAGGER = 'shape-tagger_v00';
const DETECTOR = 'site-detector_v00';
/** A file with the labels red, green and blue, and with their parents. */
const COLOURS = 'colour-tagger_v00';

/** Read from the frame header of a JPEG. */
function shapeOf(jpeg: Buffer): string {
  const header = jpeg.indexOf(Buffer.of(0xff, 0xc0));
  return jpeg.readUInt16BE(header + 5) >= jpeg.readUInt16BE(header + 7) ? 'upright' : 'lying';
}

interface Detail {
  readonly file_name: string;
  readonly labels: Readonly<Record<string, number>> | null;
  readonly label_sources: readonly object[];
}

describe('labels by a model', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let source: string;
  let copy: string;

  const enrich = async (id: string, enrichments: object): Promise<string> => {
    return additions.api.enriched(id, enrichments);
  };
  const found = (id: string, labels: string): Promise<string[]> =>
    additions.filesFound(id, `labels=${encodeURIComponent(labels)}`);
  const detailOf = (id: string, file: string): Promise<Detail> => additions.detailOf<Detail>(id, file);

  /** Red pictures in landscape and blue ones in portrait format, except for a square one. */
  const lyingAndUpright = async (): Promise<string> => {
    const folder = additions.place('shapes');
    await mkdir(folder, { recursive: true });
    const draw = async (name: string, colour: string, n: number, width: number, height: number): Promise<void> => {
      const discs = [0, 1, 2].map(
        (disc) => `<circle cx="${(n * 17 + disc * 23) % width}" cy="${(n * 11 + disc * 31) % height}" r="${6 + n}"/>`,
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="white"><rect width="100%" height="100%" fill="${colour}"/>${discs.join('')}</svg>`;
      await sharp(Buffer.from(svg)).png().toFile(join(folder, name));
    };
    for (let n = 0; n < 14; n++) {
      await draw(`red ${n}.png`, 'darkred', n, 80, 60);
      await draw(`blue ${n}.png`, 'navy', n, 60, 80);
    }
    await draw('red square.png', 'darkred', 5, 70, 70);
    return additions.indexed('Shapes', folder);
  };

  beforeAll(async () => {
    server = await StubModelServer.start({
      labels: ({ model, picture }) => {
        if (model === 'shapes') return [{ label: shapeOf(picture), confidence: 0.9 }];
        if (model === 'other') return [{ label: 'lamp', confidence: 0.5 }];
        return [
          { label: 'ball', confidence: 0.9 },
          { label: 'shape', confidence: 0.25 },
        ];
      },
    });
    models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url);
    await models.addCaptioner(TAGGER, server.url, { type: 'IMAGE_TAGGING' });
    await models.addCaptioner(OTHER_TAGGER, server.url, { type: 'IMAGE_TAGGING', server: { model: 'other' } });
    await models.addCaptioner(SHAPE_TAGGER, server.url, { type: 'IMAGE_TAGGING', server: { model: 'shapes' } });
    await models.addCaptioner(DETECTOR, server.url, { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } });
    await models.addTagger(COLOURS, [
      { label: 'red', parents: ['warm colour', 'colour'] },
      { label: 'green', parents: ['colour'] },
      { label: 'blue', parents: ['colour'] },
    ]);
    running = await startTestApp({ MODELS_DIR: models.folder, ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    additions = new Additions(running);
    const folder = await additions.writeFolder('source', [0, 1]);
    await writeFile(join(folder, 'image_annotations.csv'), "filename,label\n0.jpg,\"['ball', 'toy']\"\n");
    source = await additions.indexed('Source', folder);
    copy = await enrich(source, { CAPTION_IMAGES: CAPTIONER, IMAGE_TAGGING: { id: TAGGER } });
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  it('are written to the copy together with labels by people and captions of the same request', async () => {
    expect(await found(copy, '[ball]')).toEqual(['0.jpg', '1.jpg']);
    expect(await found(copy, '[toy]')).toEqual(['0.jpg']);
    expect(await found(source, '[ball]')).toEqual(['0.jpg']);
    expect(await found(source, '[shape]')).toEqual([]);
    const { file_name: name, ...first } = await detailOf(copy, '0.jpg');
    expect(first).toMatchObject({
      caption: 'a picture',
      labels: { ball: 1, toy: 1, shape: 1 },
      label_sources: [
        { label: 'ball', source: 'User', confidence: null },
        { label: 'toy', source: 'User', confidence: null },
        { label: 'ball', source: TAGGER, confidence: 0.9 },
        { label: 'shape', source: TAGGER, confidence: 0.25 },
      ],
    });
    expect(name).toBe('0.jpg');
  });

  it('can be previewed on a few media without changes', async () => {
    const of = `/api/v1/enrichment/${source}`;
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `${of}/context`,
    );
    const body = { enrichment_models: { CAPTION_IMAGES: CAPTIONER, IMAGE_TAGGING: { id: OTHER_TAGGER } } };
    server.fail(FAULTS.status(400, 'The picture is too small'), 1);
    const { previews } = await additions.api.must<{ previews: { file_name: string; results: object }[] }>(
      200,
      'POST',
      `${of}/${context}/previews_enrichment_result`,
      body,
    );
    const labels = { model_id: OTHER_TAGGER, labels: [{ label: 'lamp', confidence: 0.5 }] };
    expect(previews.map(({ results }) => results)).toEqual(
      expect.arrayContaining([
        { CAPTION_IMAGES: { model_id: CAPTIONER, caption: 'a picture' }, IMAGE_TAGGING: labels },
        {
          CAPTION_IMAGES: {
            model_id: CAPTIONER,
            error: expect.stringContaining('The picture is too small') as unknown,
          },
          IMAGE_TAGGING: labels,
        },
      ]),
    );
    expect(previews.map(({ file_name: name }) => name).sort()).toEqual(['0.jpg', '1.jpg']);
    expect(await found(source, '[lamp]')).toEqual([]);
    expect(await additions.api.must(200, 'GET', `${of}/context`)).toMatchObject({ status: 'COMPLETED' });
    await additions.api.must(404, 'POST', `${of}/${copy}/previews_enrichment_result`, body);
  });

  it('are exported with their source and confidence', async () => {
    const client = new ExportClient(additions.api);
    const archive = await client.archive(copy, await client.start(copy, 'export_format=json'));
    const text = [...archive.values()][0]!.toString();
    expect(text).toContain(`"category_name":"toy","source":"User"`);
    expect(text).toContain(`"category_name":"shape","source":"${TAGGER}","original_id":-1,"confidence":0.25`);
  });

  it('remain when media are added, which also get labels, and when the copy is reindexed', async () => {
    await additions.addUploads(copy, [{ name: 'later.jpg', bytes: await pictureBytes(7) }]);
    await additions.api.untilStatus(copy, ['PARTIAL INDEX']);
    expect(await found(copy, '[shape]')).toEqual(['0.jpg', '1.jpg', 'later.jpg']);
    await additions.reindex(copy);
    await additions.api.untilStatus(copy, ['READY']);
    expect(await found(copy, '[shape]')).toEqual(['0.jpg', '1.jpg', 'later.jpg']);
    const context = await additions.api.must<object>(200, 'GET', `/api/v1/enrichment/${copy}/context`);
    expect(context).toMatchObject({ dataset_enrichment_models: { enrichment_models: { IMAGE_TAGGING: TAGGER } } });
    const { clusters } = await additions.api.must<{ clusters: { n_images: number }[] }>(
      200,
      'GET',
      `/api/v1/explore/${copy}?threshold=4&vql=${encodeURIComponent(JSON.stringify([{ text: { op: 'fts', value: 'picture' } }]))}`,
    );
    expect(clusters.reduce((sum, { n_images: images }) => sum + images, 0)).toBe(3);
  });

  it('are replaced by those of another model; labels by people are not', async () => {
    const next = await enrich(copy, { IMAGE_TAGGING: OTHER_TAGGER });
    expect(await found(next, '[shape]')).toEqual([]);
    expect(await found(next, '[lamp]')).toEqual(['0.jpg', '1.jpg', 'later.jpg']);
    expect(await found(next, '[ball]')).toEqual(['0.jpg']);
    const context = await additions.api.must<object>(200, 'GET', `/api/v1/enrichment/${next}/context`);
    expect(context).toMatchObject({
      status: 'COMPLETED',
      dataset_enrichment_models: { enrichment_models: { CAPTION_IMAGES: CAPTIONER, IMAGE_TAGGING: OTHER_TAGGER } },
    });
  });

  it.each([
    ['alone', {}],
    ['and objects found with them', { OBJECT_DETECTION: DETECTOR }],
  ])('that do not fit similar media are found as mislabels: labels %s', async (_, others) => {
    const copied = await enrich(await lyingAndUpright(), { IMAGE_TAGGING: SHAPE_TAGGER, ...others });
    const vql = JSON.stringify([{ issues: { op: 'issue', value: 'mislabels' } }]);
    const { clusters } = await additions.api.must<{ clusters: { previews: { file_name: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${copied}?entity_type=IMAGES&vql=${encodeURIComponent(vql)}`,
    );
    const names = clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
    expect(names).toEqual(['red square.png']);
    const { issues } = (await detailOf(copied, 'red square.png')) as unknown as { issues: object[] };
    expect(issues).toContainEqual(expect.objectContaining({ issue: 'mislabels', issues_description: 'lying' }));
  });

  it('of one file have parents, by which searches, facets and saved views find them', async () => {
    const copied = await enrich(await lyingAndUpright(), { IMAGE_TAGGING: COLOURS });
    const filter = { labels: { op: 'one_of', value: ['Warm Colour'], with_narrower: true } };
    const vql = encodeURIComponent(JSON.stringify([filter]));
    const facets = await additions.api.must<object>(200, 'GET', `/api/v1/dataset/${copied}/facets?vql=${vql}`);
    expect(facets).toMatchObject({
      total: 15,
      labels: [
        { value: 'red', count: 15, parents: ['warm colour', 'colour'] },
        { value: 'blue', count: 14, parents: ['colour'] },
      ],
      broader_labels: [
        { value: 'colour', count: 29, parents: [] },
        { value: 'warm colour', count: 15, parents: ['colour'] },
      ],
    });
    const explore = `/api/v1/explore/${copied}?entity_type=IMAGES&threshold=4&vql=`;
    const warm = await additions.api.must<{ clusters: { n_images: number }[] }>(200, 'GET', explore + vql);
    expect(warm.clusters.reduce((sum, { n_images: count }) => sum + count, 0)).toBe(15);
    expect(await found(copied, '[warm colour]')).toEqual([]);
    const form = new FormData();
    form.set('name', 'Warm');
    const { filters } = await additions.api.must<{ filters: { vql: object[] } }>(
      200,
      'POST',
      `/api/v1/dataset/${copied}/views?entity_type=IMAGES&vql=${vql}`,
      form,
    );
    expect(filters.vql).toEqual([filter]);
  });
});
