import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_IMAGE_MODEL } from '../../../src/common/platform/config/runtime-settings.schema';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { Additions } from '../../support/additions';
import { pictureBytes, writePicture } from '../../support/pictures';
import { SITE_DIMENSION, SiteModels } from '../../support/site-models';
import { SnapshotClient } from '../../support/snapshot-client';
import { startTestApp, type TestApp } from '../../support/test-app';

const ENCODER = 'site-encoder_v00';
const LADDER = [0.999, 0.99, 0.9, 0.5, 0.1];
const PICTURES = [0, 1, 2, 3];

describe('re-encoding a dataset with another model', () => {
  let running: TestApp;
  let additions: Additions;
  let models: SiteModels;

  beforeAll(async () => {
    models = await SiteModels.make();
    await models.addImageModel(ENCODER, { calibration: { ladder: LADDER } });
    running = await startTestApp({ MODELS_DIR: models.folder });
    additions = new Additions(running);
  });

  afterAll(async () => {
    await running.close();
    await models.remove();
  });

  const indexed = async (name: string): Promise<string> => {
    const folder = await additions.writeFolder(name, PICTURES);
    await writePicture(join(folder, 'copy of 1.png'), 1);
    await writeFile(
      join(folder, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n0.jpg,4,4,20,20,ball\n1.jpg,8,8,24,20,ball\n',
    );
    return additions.indexed(name, folder);
  };
  const encode = async (id: string, query = ''): Promise<string> => {
    return additions.api.enriched(id, { IMAGE_ENCODING: ENCODER }, query);
  };
  const vectorLengths = async (id: string): Promise<(number | undefined)[]> =>
    (await additions.rows(id)).map(({ embedding }) => embedding?.length);
  const tagged = async (id: string, tag: string): Promise<string[]> => {
    const vql = encodeURIComponent(JSON.stringify([{ tags: { op: 'one_of', value: [tag] } }]));
    const { clusters } = await additions.api.must<{ clusters: { previews: { file_name: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=0&vql=${vql}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
  };
  const byImage = async (id: string, seed: number): Promise<string[]> => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await pictureBytes(seed))]), 'asked.jpg');
    const anchor = await additions.api.must<{ anchor_media_id: string; anchor_type: string }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/search-image-similarity?entity_type=IMAGES&threshold=0`,
      form,
    );
    const query = new URLSearchParams({ ...anchor, entity_type: 'IMAGES', threshold: '0' }).toString();
    const { clusters } = await additions.api.must<{ clusters: { previews: { file_name: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?${query}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
  };

  it('replaces vectors, thresholds and clusters, and can be undone by the snapshot', async () => {
    const id = await indexed('moved');
    const before = await additions.get(id);
    const [first] = (await additions.rows(id)).filter(({ kind }) => kind === 'IMAGE');
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/tags`, {
      name: 'kept',
    });
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [first!.id] } }],
    });
    expect(await encode(id, '?in_place=true')).toBe(id);

    const after = await additions.get(id);
    expect(after.pointer).toMatchObject({ modelId: ENCODER, ladder: LADDER });
    expect(after.pointer!.clusteringId).not.toBe(before.pointer!.clusteringId);
    expect(after.counts).toEqual(before.counts);
    const table = await running.app.get(MediaTableStore).open(after.pointer!);
    expect(table.dimensions.embedding).toBe(SITE_DIMENSION);
    expect(await vectorLengths(id)).toEqual(Array<number>(7).fill(SITE_DIMENSION));
    expect(await tagged(id, tag)).toEqual([first!.fileName]);
    const { clusters } = await additions.api.must<{ clusters: { n_images: number }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=0`,
    );
    expect(clusters.map(({ n_images: images }) => images)).toEqual([2, 1, 1, 1]);
    expect(await additions.api.must(200, 'GET', `/api/v1/enrichment/${id}/context`)).toMatchObject({
      status: 'COMPLETED',
      dataset_enrichment_models: { enrichment_models: { IMAGE_ENCODING: ENCODER } },
    });

    expect((await byImage(id, 2))[0]).toBe('2.jpg');
    await additions.addUploads(id, [{ name: 'later.jpg', bytes: await pictureBytes(7) }]);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });
    expect(await vectorLengths(id)).toEqual(Array<number>(8).fill(SITE_DIMENSION));

    const snapshots = new SnapshotClient(additions.api);
    const kept = (await snapshots.list(id)).find(({ description }) => description === `Before ${ENCODER}`);
    await snapshots.restore(id, kept!.snapshot_id);
    expect((await additions.get(id)).pointer).toMatchObject({ modelId: DEFAULT_IMAGE_MODEL });
  });

  it('can make a copy without changing its source', async () => {
    const id = await indexed('copied');
    const before = await additions.get(id);
    const copy = await encode(id);
    expect((await additions.get(copy)).pointer).toMatchObject({ modelId: ENCODER });
    expect((await additions.get(id)).pointer).toEqual(before.pointer);
    const placesOf = async (of: string): Promise<unknown[]> =>
      (await additions.rows(of)).map(({ fileName, mapPlace }) => [fileName, mapPlace]).sort();
    expect(await placesOf(copy)).not.toEqual(await placesOf(id));
  });

  it('keeps an unreadable picture, which is similar to no other', async () => {
    const id = await indexed('half gone');
    await rm(additions.place('half gone', '3.jpg'));
    const copy = await encode(id);
    const rows = await additions.rows(copy);
    const gone = rows.find(({ fileName }) => fileName === '3.jpg') as MediaRow;
    expect(gone).toMatchObject({ embedding: null, nearestSimilarity: expect.closeTo(0, 5) as unknown, mapPlace: null });
    expect(rows.filter(({ mapPlace }) => mapPlace === null)).toEqual([gone]);
    expect(rows.filter(({ embedding }) => embedding === null)).toHaveLength(1);
    const { files } = await additions.api.must<{ files: { file: string; detail: string }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${copy}/quarantine`,
    );
    expect(files).toEqual([
      expect.objectContaining({ detail: `IMAGE_ENCODING by ${ENCODER}: The file no longer exists.` }),
    ]);
    const { clusters } = await additions.api.must<{ clusters: { n_images: number }[] }>(
      200,
      'GET',
      `/api/v1/explore/${copy}?threshold=0`,
    );
    expect(clusters.reduce((sum, { n_images: images }) => sum + images, 0)).toBe(5);
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${copy}/media/${gone.id}`)).toMatchObject({
      file_name: '3.jpg',
    });

    await additions.addUploads(copy, [{ name: 'later.jpg', bytes: await pictureBytes(7) }]);
    expect(await additions.ended(copy)).toMatchObject({ status: 'COMPLETED' });
    await additions.reindex(copy);
    await additions.api.untilStatus(copy, ['READY']);
    expect(await vectorLengths(copy)).toContain(undefined);
  });

  it('cannot be combined with other models', async () => {
    const id = await indexed('alone');
    expect(
      await additions.api.must(400, 'POST', `/api/v1/dataset/${id}/enrich_dataset`, {
        enrichment_models: { IMAGE_ENCODING: ENCODER, CAPTION_IMAGES: 'any' },
      }),
    ).toEqual({
      detail:
        'IMAGE_ENCODING is applied alone, because all media are compared again: apply the other models afterwards',
    });
  });
});
