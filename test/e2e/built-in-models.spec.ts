import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { formOf, type ApiClient } from '../support/api-client';
import { ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';

const FAMILIES = ['boats', 'cars', 'winter', 'balloons', 'city-night', 'forest'];
const PER_FAMILY = 3;
const ALL = {
  CAPTION_IMAGES: 'drawn-world_captioner_v00',
  OBJECT_DETECTION: 'drawn-world_detector_v00',
  CAPTION_OBJECTS: 'drawn-world_object-captioner_v00',
  IMAGE_TAGGING: 'drawn-world_tagger_v00',
  MULTIMODEL_IMAGE_ENCODING: 'drawn-world_image-text-encoder_v00',
};

interface Preview {
  readonly file_name: string;
  readonly media_id: string;
  readonly caption: string | null;
}

/** Scenes without annotations, and the models included in the program. */
describe('a dataset without captions and labels, enriched by the built-in models', () => {
  let home: ProgramHome;
  let api: ApiClient;
  let source: string;
  let copy: string;

  const draw = async (folder: string, family: string, seed: string): Promise<void> => {
    const scene = SAMPLE_FAMILIES.find(({ name }) => name === family)!.draw(new SeededRandom(seed));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${family} ${seed}.jpg`), await renderPicture(scene, 'none', '.jpg', seed));
  };
  const explore = async (id: string, query: Readonly<Record<string, string>>): Promise<Preview[]> => {
    const path = `/api/v1/explore/${id}?${new URLSearchParams({ threshold: '0', ...query }).toString()}`;
    const { clusters } = await api.must<{ clusters: { previews: Preview[] }[] }>(200, 'GET', path);
    return clusters.flatMap(({ previews }) => previews);
  };
  const families = (previews: readonly Preview[]): Set<string> =>
    new Set(previews.map(({ file_name: name }) => name.split(' ')[0]!));
  const enrich = async (id: string, models: object, query = ''): Promise<string> => {
    const path = `/api/v1/dataset/${id}/enrich_dataset${query}`;
    const { dataset_id: target } = await api.must<{ dataset_id: string }>(200, 'POST', path, {
      enrichment_models: models,
    });
    await api.untilStatus(target, ['READY']);
    return target;
  };

  beforeAll(async () => {
    home = await ProgramHome.make();
    await home.start();
    api = home.api;
    const folder = join(home.folder, 'scenes');
    for (const family of FAMILIES) for (let at = 0; at < PER_FAMILY; at += 1) await draw(folder, family, `scene ${at}`);
    source = await api.indexed('Scenes', folder);
    copy = await enrich(source, ALL);
  });

  afterAll(() => home.remove());

  it('are listed as Active', async () => {
    const listed = await api.must<{ id: string; status: string }[]>(
      200,
      'GET',
      `/api/v1/enrichment/${source}/list_models`,
    );
    for (const id of Object.values(ALL))
      expect(listed).toContainEqual(expect.objectContaining({ id, status: 'Active' }));
  });

  it('finds captioned scenes by similarity and by words', async () => {
    const captions = (await explore(copy, { entity_type: 'IMAGES' })).map(({ caption }) => caption);
    expect(captions.filter((caption) => caption !== null)).toHaveLength(FAMILIES.length * PER_FAMILY);
    const snowmen = await explore(copy, { entity_type: 'IMAGES', vql: vql({ text: { op: 'fts', value: 'snowman' } }) });
    expect(families(snowmen)).toEqual(new Set(['winter']));
    const [nearest] = await explore(copy, { entity_type: 'IMAGES', caption: 'a snowman on a winter day' });
    expect(nearest!.file_name).toMatch(/^winter/);
    expect(
      await explore(source, { entity_type: 'IMAGES', vql: vql({ text: { op: 'fts', value: 'snowman' } }) }),
    ).toEqual([]);
  });

  it('finds labels, and objects with clusters and captions', async () => {
    const labelled = await explore(copy, { entity_type: 'IMAGES', labels: '[car]' });
    expect(families(labelled)).toEqual(new Set(['cars']));
    const cars = await explore(copy, { entity_type: 'OBJECTS', labels: '[car]' });
    expect(cars.length).toBeGreaterThanOrEqual(PER_FAMILY);
    for (const { caption } of cars) expect(caption).toMatch(/\w/);
    expect(await explore(source, { entity_type: 'OBJECTS' })).toEqual([]);
  });

  it('finds pictures without a caption by a text', async () => {
    const seen = await enrich(source, { MULTIMODEL_IMAGE_ENCODING: ALL.MULTIMODEL_IMAGE_ENCODING });
    const pictures = await explore(seen, { entity_type: 'IMAGES' });
    expect(pictures.every(({ caption }) => caption === null)).toBe(true);
    const { results } = await api.must<{ results: Preview[] }>(200, 'POST', `/api/v1/vector_search/${seen}`, {
      text: 'hot-air balloons in the sky',
      entity_type: 'IMAGES',
      limit: PER_FAMILY,
    });
    expect(families(results)).toEqual(new Set(['balloons']));
    const [first] = await explore(seen, {
      entity_type: 'IMAGES',
      vql: vql({ text: { op: 'semantic', value: 'sailing boats on the sea' } }),
    });
    expect(first!.file_name).toMatch(/^boats/);
  });

  it('processes media that are added later, which match views', async () => {
    const view = await api.must<{ id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${copy}/views?${new URLSearchParams({ labels: '[car]' }).toString()}`,
      formOf({ name: 'cars' }),
    );
    const folder = join(home.folder, 'later');
    await draw(folder, 'cars', 'later');
    await draw(folder, 'winter', 'later');
    await api.must(202, 'POST', `/api/v1/dataset/${copy}/add_media`, formOf({ s3_uri: folder }));
    await api.untilStatus(copy, ['PARTIAL INDEX']);
    await waitUntil(async () => {
      const { views } = await api.must<{ views: { id: string; total_results: number }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${copy}/views`,
      );
      return views.find(({ id }) => id === view.id)?.total_results === 1;
    });
  });
});

const vql = (filter: object): string => JSON.stringify([filter]);
