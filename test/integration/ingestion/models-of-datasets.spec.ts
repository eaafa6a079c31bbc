import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../../src/common/platform/config/runtime-settings.schema';
import { type ApiClient, filesForm, formOf, type Answer } from '../../support/api-client';
import { Additions } from '../../support/additions';
import { FORMAT_FIXTURES } from '../../support/format-fixtures';
import { SITE_DIMENSION, SiteModels } from '../../support/site-models';
import { sameInstallation, startTestApp, type TestApp } from '../../support/test-app';

const SETTINGS = '/api/v1/admin/settings';
const OWN = { IMAGE_MODEL: 'own_v01', TEXT_MODEL: 'own-words_v01' };
const BEST = { IMAGE_MODEL: 'photographs_v00', TEXT_MODEL: 'sentences_v00' };
const WORDS = 32;

interface Explored {
  readonly clusters: { readonly previews: { readonly media_id: string; readonly file_name: string }[] }[];
}

interface Found {
  readonly results: { readonly relevance_score: number }[];
}

const changed = (id: string, numbers: number, ofDataset: number): string =>
  `The model ${id} returns vectors of ${numbers} numbers, but the dataset was created with ${ofDataset}. Restore the original model in MODELS_DIR, or create the dataset again`;

const gone = (id: string, known: string): string =>
  `There is no model ${id} (available: ${known}). Restore its folder in MODELS_DIR, or create the dataset again`;

describe('models of datasets', () => {
  let holder: TestApp;
  let running: TestApp;
  let models: SiteModels;
  let additions: Additions;
  let api: ApiClient;
  let ofDefault: string;
  let ofSite: string;
  let chosenBefore: string;

  /** Replaces the process by one with other models. */
  const start = async (variables: Readonly<Record<string, string>>): Promise<void> => {
    const { folder } = holder;
    running = await startTestApp({ ...sameInstallation(holder), MEDIA_ROOTS: folder, ...variables });
    additions = new Additions({ ...running, folder });
    ({ api } = additions);
  };

  beforeAll(async () => {
    models = await SiteModels.make();
    await models.addImageModel(OWN.IMAGE_MODEL);
    await models.addTextModel(OWN.TEXT_MODEL, WORDS);
    holder = await startTestApp({ ROLE: 'api' });
    await start({ MODELS_DIR: models.folder });
  });

  afterAll(async () => {
    await running.close();
    await holder.close();
    await models.remove();
  });

  const captioned = async (name: string, seeds: readonly number[]): Promise<string> => {
    const folder = await additions.writeFolder(name, seeds);
    const lines = seeds.map((seed) => `${seed}.jpg,ball,a round ball ${seed}\n`);
    await writeFile(join(folder, 'image_annotations.csv'), `filename,label,caption\n${lines.join('')}`);
    return folder;
  };
  const upload = async (id: string, bytes: Uint8Array): Promise<Answer> =>
    api.ask(
      'POST',
      `/api/v1/dataset/${id}/search-image-similarity?entity_type=IMAGES`,
      filesForm([{ name: 'query', bytes }], 'file'),
    );
  const explored = async (id: string, query = ''): Promise<string[]> => {
    const { clusters } = await api.must<Explored>(200, 'GET', `/api/v1/explore/${id}?entity_type=IMAGES${query}`);
    return clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
  };
  const foundByUpload = async (id: string, bytes: Uint8Array): Promise<string[]> => {
    const { status, body } = await upload(id, bytes);
    expect(status).toBe(200);
    const { anchor_media_id: anchor } = body as { anchor_media_id: string };
    return explored(id, `&threshold=0&anchor_type=UPLOAD&anchor_media_id=${anchor}`);
  };
  const byText = (id: string): Promise<Answer> =>
    api.ask('POST', `/api/v1/vector_search/${id}`, { text: 'round balls', entity_type: 'IMAGES', limit: 10 });
  const numbersOf = async (id: string): Promise<(readonly (number | undefined)[])[]> => {
    const rows = await additions.rows(id);
    return rows.map(({ embedding, captionEmbedding }) => [embedding?.length, captionEmbedding?.length]);
  };
  const modelsOf = async (id: string): Promise<readonly unknown[]> => {
    const { pointer } = await additions.get(id);
    return [pointer?.modelId, pointer?.textModelId];
  };

  it('are chosen by settings from the available models', async () => {
    expect(await api.must(400, 'POST', SETTINGS, { key: 'IMAGE_MODEL', value: OWN.TEXT_MODEL })).toEqual({
      detail: 'IMAGE_MODEL must be one of the available models: fixed-filters_v01, learned-likeness_v00, own_v01',
    });
    expect(await api.must(400, 'POST', SETTINGS, { key: 'TEXT_MODEL', value: 'none' })).toEqual({
      detail: 'TEXT_MODEL must be one of the available models: hashed-words_v00, own-words_v01',
    });
    ofDefault = await additions.indexed('of default', await captioned('default', [0, 1, 2]));
    for (const [key, value] of Object.entries(OWN))
      expect(await api.must(200, 'POST', SETTINGS, { key, value })).toEqual({ value });
    ofSite = await additions.indexed('of site', await captioned('site', [0, 1, 2]));
    expect(await modelsOf(ofDefault)).toEqual([DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL]);
    expect(await modelsOf(ofSite)).toEqual(Object.values(OWN));
    expect(await numbersOf(ofSite)).toEqual(Array(3).fill([SITE_DIMENSION, WORDS]));
  });

  it('stay the same for additions and reindexing, regardless of the settings', async () => {
    const more = await captioned('more', [3, 4]);
    for (const id of [ofDefault, ofSite]) {
      const before = await modelsOf(id);
      await additions.addFolder(id, more);
      expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
      const grown = await numbersOf(id);
      await additions.reindex(id);
      expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED' });
      expect(await modelsOf(id)).toEqual(before);
      expect(grown).toEqual(Array(5).fill(id === ofSite ? [SITE_DIMENSION, WORDS] : [192, 256]));
      expect(await numbersOf(id)).toEqual(grown);
    }
  });

  it('encode uploaded pictures and texts for searches in each dataset', async () => {
    const picture = await readFile(additions.place('more', '3.jpg'));
    for (const id of [ofDefault, ofSite, ofDefault]) {
      expect((await foundByUpload(id, picture))[0]).toBe('3.jpg');
      expect(await byText(id)).toMatchObject({ status: 200, body: { total: 5 } });
    }
    expect(await api.must(200, 'GET', `/api/v1/vector_search/${ofSite}/embedding_models`)).toMatchObject([
      { id: OWN.TEXT_MODEL, dimension: WORDS },
    ]);
  });

  describe('after their folders were removed', () => {
    let picture: Buffer;
    const imageModelGone = gone(OWN.IMAGE_MODEL, `${DEFAULT_IMAGE_MODEL}, learned-likeness_v00`);

    beforeAll(async () => {
      picture = await readFile(additions.place('more', '3.jpg'));
      await running.close();
      for (const id of Object.values(OWN)) await models.take(id);
      await start({ MODELS_DIR: models.folder });
    });

    it('are not needed for operations without encoding', async () => {
      expect(await explored(ofSite)).toHaveLength(5);
      const [row] = await additions.rows(ofSite);
      const likeIt = await explored(ofSite, `&threshold=4&anchor_type=MEDIA&anchor_media_id=${row!.id}`);
      expect(likeIt[0]).toBe(row!.fileName);
      const vql = JSON.stringify([{ text: { op: 'fts', value: 'balls' } }]);
      expect(await explored(ofSite, `&vql=${encodeURIComponent(vql)}`)).toHaveLength(5);
      expect(await api.must(200, 'GET', `/api/v1/vector_search/${ofSite}/embedding_models`)).toEqual([]);
    });

    it('are named by operations that need them', async () => {
      expect(await upload(ofSite, picture)).toEqual(expect.objectContaining({ status: 409 }));
      expect((await upload(ofSite, picture)).body).toEqual({ detail: imageModelGone });
      expect(await byText(ofSite)).toMatchObject({
        status: 409,
        body: { detail: gone(OWN.TEXT_MODEL, DEFAULT_TEXT_MODEL) },
      });
      const before = [await additions.get(ofSite), await additions.tasks(ofSite)];
      const late = formOf({ s3_uri: await captioned('late', [6]) });
      for (const request of ['add_media', 'sync'])
        expect(
          await api.must(409, 'POST', `/api/v1/dataset/${ofSite}/${request}`, request === 'sync' ? undefined : late),
        ).toEqual({ detail: imageModelGone });
      const detection = { enrichment_models: { OBJECT_DETECTION: 'drawn-world_detector_v00' } };
      expect(await api.must(409, 'POST', `/api/v1/dataset/${ofSite}/enrich_dataset`, detection)).toEqual({
        detail: imageModelGone,
      });
      expect([await additions.get(ofSite), await additions.tasks(ofSite)]).toEqual(before);
    });

    it('do not affect other datasets', async () => {
      await additions.addFolder(ofDefault, await captioned('late', [6]));
      expect(await additions.ended(ofDefault)).toMatchObject({ status: 'COMPLETED' });
      chosenBefore = await api.createFromFolder('no such model', additions.place('late'));
      await expect(api.untilStatus(chosenBefore, ['READY'])).rejects.toThrow(imageModelGone);
      for (const key of Object.keys(OWN)) await api.must(200, 'DELETE', `${SETTINGS}?key=${key}`);
      const anew = await additions.indexed('anew', additions.place('late'));
      expect(await modelsOf(anew)).toEqual([DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL]);
    });

    it('work again after their return unless their output has changed', async () => {
      await running.close();
      await models.addImageModel(OWN.IMAGE_MODEL);
      await models.addTextModel(OWN.TEXT_MODEL, 2 * WORDS);
      await start({ MODELS_DIR: models.folder });
      expect((await foundByUpload(ofSite, picture))[0]).toBe('3.jpg');
      await additions.addFolder(ofSite, await captioned('late', [6]));
      expect(await additions.ended(ofSite)).toMatchObject({
        status: 'FAILED',
        error_message: changed(OWN.TEXT_MODEL, 2 * WORDS, WORDS),
      });
      const refusal = { detail: changed(OWN.TEXT_MODEL, 2 * WORDS, WORDS) };
      expect(await byText(ofSite)).toMatchObject({ status: 409, body: refusal });
      expect(await api.must(409, 'GET', `/api/v1/explore/${ofSite}?entity_type=IMAGES&caption=balls`)).toEqual(refusal);
      expect(await api.must(200, 'GET', `/api/v1/vector_search/${ofSite}/embedding_models`)).toEqual([]);
    });

    it('refuse a query picture if the output of the image model has changed', async () => {
      await running.close();
      for (const id of Object.values(OWN)) await models.take(id);
      await models.addTextModel(OWN.TEXT_MODEL, WORDS);
      const outputs = { embedding: 'embedding', dimension: 2 * SITE_DIMENSION };
      await models.addImageModel(OWN.IMAGE_MODEL, { outputs });
      await start({ MODELS_DIR: models.folder });
      expect(await upload(ofSite, picture)).toMatchObject({
        status: 409,
        body: { detail: changed(OWN.IMAGE_MODEL, 2 * SITE_DIMENSION, SITE_DIMENSION) },
      });
    });

    it('allow additions again once their output is unchanged', async () => {
      await running.close();
      await models.take(OWN.IMAGE_MODEL);
      await models.addImageModel(OWN.IMAGE_MODEL);
      await start({ MODELS_DIR: models.folder });
      await additions.addFolder(ofSite, await captioned('late', [6]));
      expect(await additions.ended(ofSite)).toMatchObject({ status: 'COMPLETED' });
    });
  });

  it('are those of the creation when indexing is retried', async () => {
    const [creation] = await additions.tasks(chosenBefore);
    await api.must(200, 'POST', `/api/v1/tasks/${creation!.task_id}/retry`);
    await api.untilStatus(chosenBefore, ['READY']);
    expect(await modelsOf(chosenBefore)).toEqual(Object.values(OWN));
  });

  it('put the similarity of texts on the scale of their calibration', async () => {
    const sentences = join(FORMAT_FIXTURES, 'bert');
    await running.close();
    await models.addCopy(sentences, { id: 'sentences_v01' });
    await models.addCopy(sentences, { id: 'sentences_v02', calibration: { unrelated: -0.5, matching: 1 } });
    await start({ MODELS_DIR: models.folder });
    const scores = async (id: string): Promise<number[]> => {
      await api.must(200, 'POST', SETTINGS, { key: 'TEXT_MODEL', value: id });
      const dataset = await additions.indexed(id, additions.place('site'));
      const { status, body } = await byText(dataset);
      expect(status).toBe(200);
      return (body as Found).results.map(({ relevance_score: score }) => score);
    };
    const cosineDistances = await scores('sentences_v01');
    expect(cosineDistances).toHaveLength(3);
    expect(Math.min(...cosineDistances)).toBeGreaterThan(0.01);
    const calibrated = await scores('sentences_v02');
    for (const [at, score] of calibrated.entries()) expect(score).toBeCloseTo(cosineDistances[at]! / 1.5, 3);
  });

  it('are the best that are installed where neither a setting nor the environment names one', async () => {
    for (const key of Object.keys(OWN)) await api.must(200, 'DELETE', `${SETTINGS}?key=${key}`);
    await running.close();
    await models.addImageModel(BEST.IMAGE_MODEL);
    await models.addTextModel(BEST.TEXT_MODEL, WORDS);
    await start({ MODELS_DIR: models.folder });
    expect(await api.must(200, 'GET', '/health/ready')).toMatchObject({ facts: BEST });
    for (const [key, value] of Object.entries(BEST)) {
      expect(await api.must(200, 'GET', `${SETTINGS}?key=${key}`)).toEqual({ value });
      const { settings } = await api.must<{ settings: readonly object[] }>(200, 'GET', `${SETTINGS}/list`);
      expect(settings).toContainEqual(expect.objectContaining({ key, value, default: value, overridden: false }));
    }
    const ofBest = await additions.indexed('of best', await captioned('best', [0, 1]));
    expect(await modelsOf(ofBest)).toEqual(Object.values(BEST));
    expect(await modelsOf(ofDefault)).toEqual([DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL]);
    await running.close();
    await start({ MODELS_DIR: models.folder, IMAGE_MODEL: DEFAULT_IMAGE_MODEL });
    expect(await api.must(200, 'GET', '/health/ready')).toMatchObject({
      facts: { ...BEST, IMAGE_MODEL: DEFAULT_IMAGE_MODEL },
    });
  });

  it('prevent the start if the environment names a missing model', async () => {
    await expect(startTestApp({ ...sameInstallation(holder), IMAGE_MODEL: 'none' })).rejects.toThrow(
      /^IMAGE_MODEL must be one of the available models: fixed-filters_v01, learned-likeness_v00\.$/,
    );
  });
});
