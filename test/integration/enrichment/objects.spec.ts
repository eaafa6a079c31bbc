import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEdges } from '../../../src/common/engine/media-table/edges-file';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { pictureBytes } from '../../support/pictures';
import { SiteModels } from '../../support/site-models';
import { FAULTS, StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const [DETECTOR, OTHER_DETECTOR] = ['site-detector_v00', 'other-detector_v00'];
const [CAPTIONER, FREE_CAPTIONER] = ['object-captioner_v00', 'free-captioner_v00'];
const FRAMES = 'clip.mp4';

/** Two valid objects in each picture, and invalid responses of a broken detector. */
const CLAIMED = [
  { label: 'ball', confidence: 0.9, box: [0.25, 0.25, 0.75, 0.75] },
  { label: 'shadow', confidence: 0.5, box: [0.5, 0.5, 3, 1] },
  { label: 'speck', confidence: 0.8, box: [0.5, 0.5, 0.5001, 0.5001] },
  { label: 'beside', confidence: 0.8, box: [1.5, 0.5, 2, 2] },
];

interface Detail {
  readonly media_id: string;
  readonly caption: string | null;
  readonly children: readonly { readonly media_id: string }[];
}

describe('objects found by a model', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let captionServer: StubModelServer;
  let models: SiteModels;
  let source: string;
  let copy: string;
  let folder: string;
  let kept: readonly string[];

  const start = async (id: string, enrichments: object, query = ''): Promise<string> =>
    (
      await additions.api.must<{ dataset_id: string }>(200, 'POST', `/api/v1/dataset/${id}/enrich_dataset${query}`, {
        enrichment_models: enrichments,
      })
    ).dataset_id;
  const enrich = async (id: string, enrichments: object): Promise<string> => {
    const made = await start(id, enrichments);
    await additions.api.untilStatus(made, ['READY']);
    return made;
  };
  const objectsOf = async (id: string): Promise<MediaRow[]> =>
    (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT');
  const imagesOf = async (id: string): Promise<MediaRow[]> =>
    (await additions.rows(id)).filter(({ kind }) => kind === 'IMAGE' || kind === 'FRAME');
  const labelsOf = async (id: string): Promise<string[]> =>
    (await objectsOf(id)).flatMap(({ path, labels }) => labels.map((label) => `${path} ${label}`)).sort();
  const detailOf = (id: string, media: string): Promise<Detail> =>
    additions.api.must<Detail>(200, 'GET', `/api/v1/dataset/${id}/media/${media}`);
  const nearDuplicates = async (id: string): Promise<string[]> => {
    const { pointer } = await additions.get(id);
    const rows = await additions.rows(id);
    const { first, second, cosine } = await readEdges(running.app.get<ObjectStore>(OBJECT_STORE), pointer!);
    return Array.from(first, (one, at) =>
      [rows[one]!, rows[second[at]!]!].some(({ kind }) => kind === 'OBJECT')
        ? []
        : [`${[rows[one]!.id, rows[second[at]!]!.id].sort().join(' ')} ${cosine[at]}`],
    )
      .flat()
      .sort();
  };
  const clustersOf = async (id: string, query: string): Promise<unknown[]> =>
    (await additions.api.must<{ clusters: unknown[] }>(200, 'GET', `/api/v1/explore/${id}?${query}`)).clusters;
  const tag = async (id: string, name: string, media: readonly string[]): Promise<void> => {
    const tags = `/api/v1/dataset/${id}/tags`;
    const { id: made } = await additions.api.must<{ id: string }>(200, 'POST', tags, { name });
    await additions.api.must(200, 'POST', `${tags}/${made}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: media } }],
    });
  };
  /** The paths with the only tag. */
  const tagged = async (id: string, type: string): Promise<string[]> => {
    const { tags } = await additions.api.must<{ tags: { id: string }[] }>(200, 'GET', `/api/v1/dataset/${id}/tags`);
    const vql = encodeURIComponent(JSON.stringify([{ tags: { op: 'one_of', value: tags.map((each) => each.id) } }]));
    const clusters = await clustersOf(id, `entity_type=${type}&threshold=4&vql=${vql}`);
    return (clusters as { previews: { media_id: string }[] }[])
      .flatMap(({ previews }) => previews)
      .map(({ media_id: media }) => media);
  };
  const preview = async (id: string, enrichments: object): Promise<{ file_name: string; results: object }[]> => {
    const of = `/api/v1/enrichment/${id}`;
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `${of}/context`,
    );
    const { previews } = await additions.api.must<{ previews: { file_name: string; results: object }[] }>(
      200,
      'POST',
      `${of}/${context}/previews_enrichment_result`,
      { enrichment_models: enrichments },
    );
    return previews;
  };
  const counts = async (id: string): Promise<object> => additions.api.must<object>(200, 'GET', `/api/v1/dataset/${id}`);

  beforeAll(async () => {
    let captions = 0;
    captionServer = await StubModelServer.start({ caption: () => `Crop number ${(captions += 1)}` });
    server = await StubModelServer.start({
      objects: ({ model }) =>
        model === 'other' ? [{ label: 'lamp', confidence: 0.75, box: [0, 0, 0.5, 0.5] }] : CLAIMED,
    });
    models = await SiteModels.make();
    const detector = { type: 'OBJECT_DETECTION', server: { boxes: 'fractions' } };
    await models.addCaptioner(DETECTOR, server.url, detector);
    await models.addCaptioner(OTHER_DETECTOR, server.url, {
      ...detector,
      server: { boxes: 'fractions', model: 'other' },
    });
    await models.addCaptioner(CAPTIONER, captionServer.url, { type: 'CAPTION_OBJECTS' });
    await models.addCaptioner(FREE_CAPTIONER, captionServer.url, { type: 'CAPTION_OBJECTS', dependencies: null });
    running = await startTestApp({ MODELS_DIR: models.folder, ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    additions = new Additions(running);
    folder = await additions.writeFolder('source', [0, 1, 2]);
    await copyFile(join(folder, '1.jpg'), join(folder, 'copy-of-1.jpg'));
    await copyFile('test/fixtures/clip.mp4', join(folder, FRAMES));
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n0.jpg,40,30,80,61,ball\n0.jpg,0,0,20,20,toy\n',
    );
    source = await additions.indexed('Source', folder);
    const image = (await imagesOf(source)).find(({ path }) => path === '2.jpg')!;
    const [object] = await objectsOf(source);
    kept = [image.id, object!.id];
    await tag(source, 'kept', kept);
    copy = await enrich(source, { CAPTION_OBJECTS: CAPTIONER, OBJECT_DETECTION: DETECTOR });
  });

  afterAll(async () => {
    await running.close();
    await Promise.all([server.close(), captionServer.close()]);
    await models.remove();
  });

  it('are rows of the copy, like objects marked by people', async () => {
    const [before, after] = [await objectsOf(source), await objectsOf(copy)];
    const pictures = await imagesOf(copy);
    expect(before).toHaveLength(2);
    expect(after).toHaveLength(2 + 2 * pictures.length - 1);
    const videos = (await hasVideoSupport()) ? 1 : 0;
    expect(await counts(copy)).toMatchObject({ n_images: 4, n_objects: after.length, n_videos: videos });
    expect(await counts(source)).toMatchObject({ n_objects: 2 });
    for (const object of after.filter(({ generatedLabels }) => generatedLabels !== null)) {
      const parent = pictures.find(({ id }) => id === object.parentId)!;
      expect(object).toMatchObject({
        path: parent.path,
        source: parent.source,
        batchId: parent.batchId,
        generatedLabels: [
          { label: object.labels[0], confidence: object.labels[0] === 'ball' ? 0.9 : 0.5, given: false },
        ],
        box: object.labels[0] === 'ball' ? { x: 0.25, y: 0.25, width: 0.5, height: 0.5 } : { x: 0.5, width: 0.5 },
        embedding: expect.any(Float32Array) as unknown,
        sharpness: expect.any(Number) as unknown,
      });
      expect(object.clusters.every((cluster) => cluster >= 0)).toBe(true);
      expect(await running.app.get<ObjectStore>(OBJECT_STORE).head(object.thumbnailKey!)).toBeDefined();
    }
    const marked = after.filter(({ generatedLabels }) => generatedLabels === null);
    expect(marked.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect((await labelsOf(copy)).filter((label) => label.startsWith('0.jpg'))).toEqual([
      '0.jpg ball',
      '0.jpg shadow',
      '0.jpg toy',
    ]);
    // Crops of the copied file are copies of each other.
    const ofOne = after.filter(
      ({ path, labels }) => ['1.jpg', 'copy-of-1.jpg'].includes(path) && labels[0] === 'shadow',
    );
    expect(ofOne.map(({ nearestSimilarity }) => nearestSimilarity)).toEqual([1, 1]);
  });

  it('are shown with their model, caption and picture', async () => {
    const objects = await objectsOf(copy);
    const found = objects.find(({ path, labels }) => path === '2.jpg' && labels[0] === 'ball')!;
    expect(await detailOf(copy, found.id)).toMatchObject({
      media_type: 'object',
      caption: expect.stringMatching(/^Crop number/) as unknown,
      caption_source: CAPTIONER,
      label_sources: [{ label: 'ball', source: DETECTOR, annotation_source: DETECTOR, confidence: 0.9 }],
      parent: { media_id: found.parentId },
    });
    for (const { mapPlace } of objects) expect(mapPlace).not.toBeNull();
    const { children } = await detailOf(copy, found.parentId!);
    expect(children.map(({ media_id: id }) => id).sort()).toEqual(
      objects.flatMap(({ id, parentId }) => (parentId === found.parentId ? [id] : [])).sort(),
    );
    expect(new Set(objects.map(({ generatedCaption }) => generatedCaption)).size).toBe(objects.length);
    const shadows = await clustersOf(copy, 'entity_type=OBJECTS&threshold=0&labels=[shadow]');
    expect(shadows.length).toBeGreaterThan(1);
    const facets = await additions.api.must<object>(200, 'GET', `/api/v1/dataset/${copy}/facets?entity_type=OBJECTS`);
    expect(JSON.stringify(facets)).toContain('shadow');
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${copy}/context`)).toMatchObject({
      dataset_enrichment_models: { enrichment_models: { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER } },
    });
  });

  it('do not change images, their clusters, near duplicates and tags', async () => {
    const fields = ['id', 'clusters', 'mapPlace', 'uniqueness', 'nearestSimilarity', 'outlierConfidence'] as const;
    const structure = (row: MediaRow): unknown[] => fields.map((field) => row[field]);
    expect((await imagesOf(copy)).map(structure)).toEqual((await imagesOf(source)).map(structure));
    const ids = async (id: string): Promise<unknown[]> =>
      (await clustersOf(id, 'threshold=0')).map((cluster) => (cluster as { cluster_id: string }).cluster_id);
    expect(await ids(copy)).toEqual(await ids(source));
    const before = await nearDuplicates(source);
    expect(before.length).toBeGreaterThan(0);
    expect(await nearDuplicates(copy)).toEqual(before);
    expect([await tagged(copy, 'IMAGES'), await tagged(copy, 'OBJECTS')].flat()).toEqual(kept);
  });

  it('are exported with their source, confidence and caption', async () => {
    const client = new ExportClient(additions.api);
    const archive = await client.archive(copy, await client.start(copy, 'export_format=json'));
    const text = [...archive.values()][0]!.toString();
    expect(text).toContain(`"category_name":"shadow","source":"${DETECTOR}","confidence":0.5`);
    expect(text).toContain(`"category_name":"toy","source":"User"`);
    expect(text).toMatch(new RegExp(`"text":"Crop number \\d+","source":"${CAPTIONER}"`));
  });

  it('can be previewed with their captions without changes', async () => {
    const before = await labelsOf(source);
    const found = await preview(source, { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER });
    expect(found).toHaveLength((await imagesOf(source)).length);
    const ball = { label: 'ball', bounding_box: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 } };
    const caption = expect.stringMatching(/^Crop number/) as unknown;
    for (const { results } of found)
      expect(results).toEqual({
        OBJECT_DETECTION: {
          model_id: DETECTOR,
          objects: [{ ...ball, confidence: 0.9 }, expect.objectContaining({ label: 'shadow', confidence: 0.5 })],
        },
        CAPTION_OBJECTS: {
          model_id: CAPTIONER,
          objects: [{ ...ball, caption }, expect.objectContaining({ label: 'shadow', caption })],
        },
      });
    const known = await preview(source, { CAPTION_OBJECTS: FREE_CAPTIONER });
    expect(known).toMatchObject([
      {
        file_name: '0.jpg',
        results: {
          CAPTION_OBJECTS: {
            objects: expect.arrayContaining([
              { label: 'toy', bounding_box: expect.anything() as unknown, caption },
            ]) as unknown,
          },
        },
      },
    ]);
    expect(await labelsOf(source)).toEqual(before);
  });

  it('can be captioned later, as can objects marked by people', async () => {
    const next = await enrich(copy, { CAPTION_OBJECTS: FREE_CAPTIONER });
    const [before, after] = [await objectsOf(copy), await objectsOf(next)];
    expect(after.map(({ id, clusters, labels }) => ({ id, clusters, labels }))).toEqual(
      before.map(({ id, clusters, labels }) => ({ id, clusters, labels })),
    );
    const known = new Set(before.map(({ generatedCaption }) => generatedCaption));
    expect(after.every(({ generatedCaption: caption }) => caption !== null && !known.has(caption))).toBe(true);
    const ofPeople = await enrich(source, { CAPTION_OBJECTS: FREE_CAPTIONER });
    expect((await objectsOf(ofPeople)).map(({ generatedCaption }) => generatedCaption)).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('are replaced by those of another detector, also in place; objects marked by people are not', async () => {
    const next = await enrich(copy, { OBJECT_DETECTION: OTHER_DETECTOR });
    const pictures = await imagesOf(next);
    const labels = (await labelsOf(next)).map((label) => label.split(' ')[1]!);
    expect(labels.filter((label) => label === 'lamp')).toHaveLength(pictures.length);
    expect(labels.filter((label) => label !== 'lamp').sort()).toEqual(['ball', 'toy']);
    expect(await counts(next)).toMatchObject({ n_objects: pictures.length + 2 });
    expect(await nearDuplicates(next)).toEqual(await nearDuplicates(source));
    expect([await tagged(next, 'IMAGES'), await tagged(next, 'OBJECTS')].flat()).toEqual(kept);

    await start(next, { OBJECT_DETECTION: DETECTOR }, '?in_place=true');
    await additions.api.untilStatus(next, ['READY']);
    expect((await labelsOf(next)).filter((label) => label.endsWith(' lamp'))).toEqual([]);
    expect(await counts(next)).toMatchObject({ n_objects: 2 * pictures.length + 1 });
    expect(await nearDuplicates(next)).toEqual(await nearDuplicates(source));
    expect([await tagged(next, 'IMAGES'), await tagged(next, 'OBJECTS')].flat()).toEqual(kept);
  });

  it('are also found in added media, remain after reindexing, and are removed with their picture', async () => {
    const before = await labelsOf(copy);
    await additions.addUploads(copy, [{ name: 'later.jpg', bytes: await pictureBytes(7) }]);
    await additions.api.untilStatus(copy, ['PARTIAL INDEX']);
    const grown = [...before, 'later.jpg ball', 'later.jpg shadow'].sort();
    expect(await labelsOf(copy)).toEqual(grown);
    await additions.reindex(copy);
    await additions.api.untilStatus(copy, ['READY']);
    expect(await labelsOf(copy)).toEqual(grown);
    expect(await counts(copy)).toMatchObject({ n_objects: grown.length });
    await rm(join(folder, '2.jpg'));
    await rm(join(folder, FRAMES));
    await additions.api.must(202, 'POST', `/api/v1/dataset/${copy}/sync?prune=true`);
    await additions.ended(copy);
    const left = grown.filter((label) => !label.startsWith('2.jpg') && !label.startsWith(FRAMES));
    expect(left.length).toBeLessThan(grown.length);
    expect(await labelsOf(copy)).toEqual(left);
    expect(await counts(copy)).toMatchObject({ n_objects: left.length });
  });

  it('are counted in the progress of each model until the enrichment is aborted', async () => {
    captionServer.fail(FAULTS.status(503));
    const made = await start(source, { OBJECT_DETECTION: DETECTOR, CAPTION_OBJECTS: CAPTIONER });
    const of = `/api/v1/enrichment/${source}`;
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `${of}/context`,
    );
    const progress = async (): Promise<string> => {
      const { models: each } = await additions.api.must<{ models: { type: string; progress: number }[] }>(
        200,
        'GET',
        `${of}/${context}/status`,
      );
      return each.map(({ type, progress: percent }) => `${type} ${percent}`).join(', ');
    };
    await waitUntil(async () => (await progress()) === 'OBJECT_DETECTION 100, CAPTION_OBJECTS 0');
    await additions.api.must(200, 'DELETE', `${of}/${context}/abort`);
    captionServer.recover();
    await additions.api.must(404, 'GET', `/api/v1/dataset/${made}`);
    expect((await additions.tasks(source))[0]).toMatchObject({ task_type: 'ENRICHMENT', status: 'ABORTED' });
    expect(await additions.sql('SELECT 1 FROM applied_chunk')).toEqual([]);
    expect(await counts(source)).toMatchObject({ status_new: 'READY', n_objects: 2 });
  });

  it('are kept for a retry, and detected again if a sweep deleted their thumbnails', async () => {
    const failed = async (): Promise<string> => {
      captionServer.fail(FAULTS.status(401, 'Incorrect API key'));
      const made = await start(source, { OBJECT_DETECTION: OTHER_DETECTOR, CAPTION_OBJECTS: CAPTIONER });
      await waitUntil(async () => (await additions.get(made)).status === 'ERROR');
      captionServer.recover();
      return made;
    };
    const retried = async (id: string): Promise<number> => {
      const asked = server.requests;
      const [task] = await additions.tasks(source);
      await additions.api.must(200, 'POST', `/api/v1/tasks/${task!.task_id}/retry`);
      await additions.api.untilStatus(id, ['READY']);
      return server.requests - asked;
    };
    const store = running.app.get<ObjectStore>(OBJECT_STORE);
    const kept = await failed();
    expect(await retried(kept)).toBe(0);
    const lamps = (await objectsOf(kept)).filter(({ labels }) => labels[0] === 'lamp');
    expect(lamps).toHaveLength((await imagesOf(source)).filter(({ path }) => path !== '2.jpg').length);

    const swept = await failed();
    await store.delete(lamps.map(({ thumbnailKey }) => thumbnailKey!));
    expect(await retried(swept)).toBe(lamps.length);
    const objects = await objectsOf(swept);
    expect(objects).toHaveLength(lamps.length + 2);
    for (const { thumbnailKey, generatedCaption } of objects) {
      expect(await store.head(thumbnailKey!)).toBeDefined();
      expect(generatedCaption).not.toBeNull();
    }
  });

  it('are not detected in missing or refused pictures, which are quarantined', async () => {
    server.fail(FAULTS.status(400, 'The picture is too small'), 1);
    const next = await enrich(source, { OBJECT_DETECTION: DETECTOR });
    const { files } = await additions.api.must<{ files: { file: string; reason: string; detail: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${next}/quarantine`,
    );
    expect(files.map(({ reason }) => reason).sort()).toEqual(['missing', 'refused_by_model']);
    expect(files.every(({ detail }) => detail.startsWith(`OBJECT_DETECTION by ${DETECTOR}: `))).toBe(true);
    const labelled = new Set((await labelsOf(next)).map((label) => label.split(' ')[0]));
    expect(labelled.has('2.jpg')).toBe(false);
    expect(await imagesOf(next)).toHaveLength((await imagesOf(source)).length);
  });
});
