import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { formOf } from '../../support/api-client';
import { CLASS_TEXTS, writeClassTexts } from '../../support/class-text-files';
import { COLOUR_ENCODER, COLOURS, writeColoured, type Colour } from '../../support/colour-encoder';
import { SITE_DIMENSION, SiteModels } from '../../support/site-models';
import { StubModelServer } from '../../support/stub-model-server';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const [THINGS, ENCODER] = ['things_v00', 'colours_v00'];
const PICTURES: Readonly<Record<string, Colour>> = { 'a.jpg': 'red', 'b.jpg': 'green', 'c.jpg': 'green' };
/** The last numbers of a vector, which are compared with classes. */
const LEARNED = SITE_DIMENSION - 30;

const vectorOf = (colour: Colour): number[] =>
  Array.from({ length: LEARNED }, (_, at) => COLOURS[colour][at % 3]! / 255 - 0.5);

interface Answer {
  readonly understood?: readonly { readonly text: string; readonly classes: readonly string[] }[];
}

describe('texts that are compared with pictures by the classes that they name', () => {
  let running: TestApp;
  let additions: Additions;
  let server: StubModelServer;
  let models: SiteModels;
  let dataset: string;

  beforeAll(async () => {
    server = await StubModelServer.start(COLOUR_ENCODER);
    models = await SiteModels.make();
    await models.addImageModel(THINGS, { texts: CLASS_TEXTS });
    await writeClassTexts(join(models.folder, THINGS), {
      classes: ['rose', 'lawn', 'pool'],
      words: { rose: [0], grass: [1], plant: [0, 1], pool: [2] },
      vectors: [vectorOf('red'), vectorOf('green'), vectorOf('blue')],
    });
    await models.addEncoder(ENCODER, server.url, { outputs: { dimension: 3 } });
    running = await startTestApp({ MODELS_DIR: models.folder, IMAGE_MODEL: THINGS });
    additions = new Additions(running);
    for (const [at, [name, colour]] of Object.entries(PICTURES).entries())
      await writeColoured(additions.place('source', name), colour, at);
    await writeFile(additions.place('source', 'image_annotations.csv'), 'filename,label,caption\nb.jpg,,A rose\n');
    dataset = await additions.indexed('Source', additions.place('source'));
  });

  afterAll(async () => {
    await running.close();
    await server.close();
    await models.remove();
  });

  const explore = async (query: string, id = dataset): Promise<Answer & { readonly names: string[] }> => {
    const { clusters, ...answer } = await additions.api.must<
      Answer & { clusters: { previews: { file_name: string }[] }[] }
    >(200, 'GET', `/api/v1/explore/${id}?entity_type=IMAGES&threshold=0&${query}`);
    const names = clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
    return { ...answer, names: names.sort() };
  };
  const vql = (...filters: object[]): string => `vql=${encodeURIComponent(JSON.stringify(filters))}`;
  const semantic = (value: string, threshold?: number): string => vql({ text: { op: 'semantic', value, threshold } });
  const byText = (text: string, id = dataset) =>
    additions.api.must<Answer & { results: { file_name: string; relevance_score: number }[] }>(
      200,
      'POST',
      `/api/v1/vector_search/${id}`,
      { text, entity_type: 'IMAGES', limit: 10 },
    );

  it('find pictures and captions by meaning, and say what they were understood as', async () => {
    expect(await explore(semantic('a red rose'))).toMatchObject({
      // One by its picture, the other by its caption.
      names: ['a.jpg', 'b.jpg'],
      understood: [{ text: 'rose', classes: ['rose'] }],
    });
    expect(await explore(semantic('two plants', 0.3))).toMatchObject({
      names: ['a.jpg', 'b.jpg', 'c.jpg'],
      understood: [{ text: 'plants', classes: ['rose', 'lawn'] }],
    });
    const { results, understood } = await byText('grass');
    expect(results.map(({ file_name: name }) => name).sort()).toEqual(['b.jpg', 'c.jpg']);
    expect(results.map(({ relevance_score: score }) => score)).toEqual([0, 0]);
    expect(understood).toEqual([{ text: 'grass', classes: ['lawn'] }]);
  });

  it('find nothing where no picture is near what they name', async () => {
    expect(await explore(semantic('a pool'))).toMatchObject({
      names: ['b.jpg'],
      understood: [{ text: 'pool', classes: ['pool'] }],
    });
  });

  it('find nothing where they name nothing that the model knows', async () => {
    for (const text of ['astronaut', 'no plants']) {
      const { names, understood } = await explore(semantic(text, 0.5));
      expect([names, understood]).toEqual([[], []]);
    }
    expect((await byText('astronaut')).understood).toEqual([]);
  });

  it('leave the search of captions as it is', async () => {
    const answer = await explore('caption=rose&textual_similarity_threshold=0.5');
    expect(answer).toMatchObject({ names: ['b.jpg'] });
    expect(answer).not.toHaveProperty('understood');
  });

  it('count in saved views', async () => {
    const path = `/api/v1/dataset/${dataset}/views`;
    const filters = semantic('rose', 0.8);
    await additions.api.must(200, 'POST', `${path}?entity_type=IMAGES&${filters}`, formOf({ name: 'roses' }));
    await writeColoured(additions.place('more', 'd.jpg'), 'red', 7);
    await writeColoured(additions.place('more', 'e.jpg'), 'green', 8);
    await additions.addFolder(dataset, additions.place('more'), true);
    await additions.ended(dataset);
    const total = async (): Promise<number> => {
      const { views } = await additions.api.must<{ views: { total_results: number }[] }>(200, 'GET', path);
      return views[0]!.total_results;
    };
    await waitUntil(async () => (await total()) > 0);
    expect(await total()).toBe(1);
    expect((await explore(filters)).names).toEqual(['a.jpg', 'b.jpg', 'd.jpg']);
  });

  it('name their model, until another one for texts is applied', async () => {
    const listed = (id: string) =>
      additions.api.must<object[]>(200, 'GET', `/api/v1/vector_search/${id}/embedding_models`);
    expect(await listed(dataset)).toMatchObject([
      { id: THINGS, type: 'IMAGE_ENCODING', entity_type: 'IMAGES', dimension: SITE_DIMENSION, is_default: true },
      { id: 'hashed-words_v00', type: 'CAPTION_IMAGES', is_default: false },
    ]);
    const copy = await additions.api.enriched(dataset, { MULTIMODEL_IMAGE_ENCODING: ENCODER });
    expect(await listed(copy)).toMatchObject([{ id: ENCODER }, { id: 'hashed-words_v00' }]);
    expect(await byText('green', copy)).not.toHaveProperty('understood');
    expect((await explore(semantic('green', 0.8), copy)).names).toEqual(['b.jpg', 'c.jpg', 'e.jpg']);
  });
});
