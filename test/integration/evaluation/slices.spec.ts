import { Additions } from '../../support/additions';
import { EvaluationClient } from '../../support/evaluation-client';
import { writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

interface Slice {
  readonly conditions: readonly { readonly by: string; readonly value: string; readonly name: string }[];
  readonly n_media: number;
  readonly n_truth: number;
  readonly figure: number;
  readonly rest: number;
  readonly interval: readonly [number, number];
  readonly worse: boolean;
  readonly vql: readonly object[];
}

interface Found {
  readonly count: number;
  readonly n_media: number;
  readonly vql: readonly object[];
}

interface Comparison {
  readonly n_media: number;
  readonly figures: readonly { name: string; a: number; b: number; interval: [number, number] | null }[];
  readonly a_right_b_wrong: Found;
  readonly b_right_a_wrong: Found;
  readonly slices: readonly Slice[];
}

const FOLDERS = ['day', 'night'];
const PER_FOLDER = 30;
const FILES = FOLDERS.flatMap((folder) => Array.from({ length: PER_FOLDER }, (_, at) => `${folder}/${at}.jpg`));

/** A small dog, and a larger cat. */
const boxes = (file: string, more: object = {}): object[] => [
  { file_name: file, label: 'dog', shape: { type: 'box', x: 10, y: 10, width: 20, height: 20 }, ...more },
  { file_name: file, label: 'cat', shape: { type: 'box', x: 50, y: 20, width: 60, height: 60 }, ...more },
];

describe('slices of evaluations', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let evaluations: EvaluationClient;
  let dataset: string;
  /** Which misses what is in the folder `night`, and one that misses the dogs of the other folder. */
  let first: string;
  let second: string;

  beforeAll(async () => {
    // Six copies of each picture, which are a cluster.
    for (const [at, file] of FILES.entries()) await writePicture(additions.place('Pictures', file), Math.floor(at / 6));
    dataset = await additions.indexed('Sliced', additions.place('Pictures'));
    const snapshots = new SnapshotClient(additions.api);
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', path('/tags'), { name: 'Checked' });
    const selection = [{ type: 'media', payload: { media_ids: (await snapshots.mediaIds(dataset)).slice(0, 8) } }];
    await additions.api.must(200, 'POST', path(`/tags/${tag}/assign`), { media_selection: selection });
    const annotations = FILES.map((file, at) => ({
      file_name: file,
      metadata: [
        { field_name: 'weather', value: at % 3 === 0 ? 'rain' : 'sun' },
        { field_name: 'distance', value: at },
      ],
    }));
    await additions.api.must(202, 'POST', path('/annotations'), { annotations });
    await additions.api.untilStatus(dataset, ['READY']);
    const sources = new SourceClient(additions.api, dataset);
    await sources.send({ source: 'careful', annotations: FILES.flatMap((file) => boxes(file)) });
    const ofDay = FILES.filter((file) => file.startsWith('day'));
    const found = { confidence: 0.9 };
    await sources.send({ source: 'first', annotations: ofDay.flatMap((file) => boxes(file, found)) });
    const cats = ofDay.map((file) => boxes(file, found)[1]!);
    const dogs = FILES.filter((file) => !file.startsWith('day')).map((file) => boxes(file, found)[0]!);
    await sources.send({ source: 'second', annotations: [...cats, ...dogs] });
    evaluations = new EvaluationClient(additions.api, dataset);
    first = (await evaluations.completed({ truth: 'careful', predictions: 'first' })).id;
    second = (await evaluations.completed({ truth: 'careful', predictions: 'second' })).id;
  });

  const path = (rest: string): string => `/api/v1/dataset/${dataset}${rest}`;
  const slicesOf = async (id: string, query = ''): Promise<readonly Slice[]> =>
    (await additions.api.must<{ slices: Slice[] }>(200, 'GET', evaluations.path(`/${id}/slices?${query}`))).slices;
  const mediaOf = async (vql: readonly object[]): Promise<number> => {
    const query = `entity_type=IMAGES&vql=${encodeURIComponent(JSON.stringify(vql))}`;
    return (await additions.api.must<{ total: number }>(200, 'GET', path(`/facets?${query}`))).total;
  };
  const namesOf = ({ conditions }: Slice): string => conditions.map(({ by, name }) => `${by} ${name}`).join(', ');

  it('say where a detector is worse, and their searches find as many pictures as they have', async () => {
    const [worst] = await slicesOf(first);
    expect(namesOf(worst!)).toBe('folder night');
    expect(worst).toMatchObject({ n_media: 30, n_truth: 60, figure: 0, rest: 1, worse: true });
    const all = await slicesOf(first, 'all=true&limit=100');
    expect(new Set(all.flatMap(({ conditions }) => conditions.map(({ by }) => by)))).toEqual(
      new Set(['folder', 'label', 'size', 'field', 'brightness', 'cluster', 'tag']),
    );
    for (const slice of all)
      expect([namesOf(slice), await mediaOf(slice.vql)]).toEqual([namesOf(slice), slice.n_media]);
    expect(all.map(namesOf)).toEqual(
      expect.arrayContaining([
        'label dog',
        'size small',
        'size medium',
        'field weather: rain',
        'folder day',
        'tag Checked',
      ]),
    );
    expect((await slicesOf(first, 'all=true&by=folder')).map(namesOf)).toEqual(['folder night', 'folder day']);
  });

  it('are found with two conditions where only both make it worse', async () => {
    const found = (await slicesOf(second)).map(namesOf);
    expect(found).toEqual(expect.arrayContaining(['folder night, label cat', 'folder day, label dog']));
  });

  it('compare two evaluations, with what only one of them found', async () => {
    const compared = await additions.api.must<Comparison>(
      200,
      'GET',
      evaluations.path(`/${first}/comparison?with=${second}`),
    );
    expect(compared).toMatchObject({
      n_media: 60,
      a_right_b_wrong: { count: 30, n_media: 30 },
      b_right_a_wrong: { count: 30, n_media: 30 },
    });
    for (const { n_media: media, vql } of [compared.a_right_b_wrong, compared.b_right_a_wrong, ...compared.slices])
      expect(await mediaOf(vql)).toBe(media);
    expect(compared.slices.map(namesOf)).toContain('folder day, label dog');
    const recall = compared.figures.find(({ name }) => name === 'recall')!;
    expect(recall).toMatchObject({ a: 0.5, b: 0.5 });
    expect(recall.interval![0]).toBeLessThan(0);
    expect(recall.interval![1]).toBeGreaterThan(0);
    expect(compared.figures.map(({ name }) => name)).toEqual(expect.arrayContaining(['f1', 'AP', 'AP50']));
  });

  it('compare average precisions in the same samples, if both have the same pictures', async () => {
    const apOf = async (one: string, other: string) => {
      const path = evaluations.path(`/${one}/comparison?with=${other}`);
      const { figures } = await additions.api.must<Comparison>(200, 'GET', path);
      return figures.find(({ name }) => name === 'AP')!;
    };
    const { a, b, interval } = await apOf(first, second);
    expect(interval![0]).toBeLessThan(b - a);
    expect(interval![1]).toBeGreaterThan(b - a);
    const again = await evaluations.completed({ truth: 'careful', predictions: 'first' });
    expect((await apOf(first, again.id)).interval).toEqual([0, 0]);
    const filter = { vql: [{ folders: { op: 'one_of', value: ['day'] } }] };
    const ofDay = await evaluations.completed({ truth: 'careful', predictions: 'second', filter });
    expect((await apOf(first, ofDay.id)).interval).toBeNull();
    await additions.sql('UPDATE evaluation SET samples = NULL WHERE id = $1', [again.id]);
    expect((await apOf(first, again.id)).interval).toBeNull();
  });

  it('tell how far figures may be from those of other pictures', async () => {
    type Told = { metrics: Record<string, number>; intervals: Record<string, [number, number]> };
    const { metrics, intervals } = await additions.api.must<Told>(200, 'GET', evaluations.path(`/${first}`));
    expect(Object.keys(intervals).sort()).toEqual(['AP', 'AP50', 'AP75', 'AR100', 'f1', 'precision', 'recall']);
    for (const name of ['AP', 'f1']) {
      expect(intervals[name]![0]).toBeLessThan(metrics[name]!);
      expect(intervals[name]![1]).toBeGreaterThan(metrics[name]!);
    }
    // Everything that it says is right.
    expect(intervals['precision']).toEqual([1, 1]);
  });

  it('group failures by what their pictures look like', async () => {
    type Groups = { groups: { n_media: number; n_failures: number; previews: object[]; vql: object[] }[] };
    const { groups } = await additions.api.must<Groups>(200, 'GET', evaluations.path(`/${first}/failures?threshold=4`));
    expect(groups.length).toBeGreaterThan(0);
    for (const { n_media: media, n_failures: failures, previews, vql } of groups) {
      expect(failures).toBe(2 * media);
      expect(previews.length).toBe(Math.min(9, media));
      expect(await mediaOf(vql)).toBe(media);
    }
  });

  it('are of evaluations with a result, which have the same truth', async () => {
    const sources = new SourceClient(additions.api, dataset);
    await sources.send({ source: 'hasty', annotations: boxes(FILES[0]!) });
    const { id: other } = await evaluations.completed({ truth: 'hasty', predictions: 'first' });
    const ask = (rest: string) => additions.api.ask('GET', evaluations.path(rest));
    expect(await ask(`/${first}/comparison?with=${other}`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/careful.*hasty/) as unknown },
    });
    await additions.sql('UPDATE evaluation SET completed_at = NULL WHERE id = $1', [other]);
    for (const rest of ['slices', `comparison?with=${first}`, 'failures'])
      expect(await ask(`/${other}/${rest}`)).toMatchObject({
        status: 409,
        body: { detail: 'The evaluation has no result yet. Wait until it has completed.' },
      });
  });
});
