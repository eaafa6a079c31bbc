import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Additions } from '../../support/additions';
import { EvaluationClient } from '../../support/evaluation-client';
import { Random } from '../../support/random';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

const PICTURES = 12;
const LABELS = ['cat', 'dog', 'fox', 'owl'];

interface Cell {
  readonly truth: string | null;
  readonly predicted: string | null;
  readonly count: number;
  readonly n_media: number;
  readonly vql: readonly object[];
}

interface Counts {
  readonly confidence: number;
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly kinds: Readonly<Record<string, number>>;
}

interface Outcome {
  readonly annotation_id: string;
  readonly outcome: string;
  readonly kind: string | null;
  readonly iou: number | null;
  readonly partner_id: string | null;
}

interface Picture {
  readonly truth: readonly Outcome[];
  readonly predictions: readonly Outcome[];
}

/** Boxes in pictures of 160 by 120 pixels, and predictions of which many are near them. */
function randomBoxes(seed: number) {
  const random = new Random(seed);
  const file = (at: number): string => `${at}.jpg`;
  const said = (at: number, x: number, y: number, more: object) => ({
    file_name: file(at),
    label: random.pick(LABELS),
    shape: { type: 'box', x: Math.max(0, x), y: Math.max(0, y), width: 40, height: 40 },
    ...more,
  });
  const truth: ReturnType<typeof said>[] = [];
  const predictions: ReturnType<typeof said>[] = [];
  for (let at = 0; at < PICTURES; at++) {
    for (let count = random.integer(5); count > 0; count--)
      truth.push(said(at, random.integer(120), random.integer(80), random.next() < 0.1 ? { crowd: true } : {}));
    for (const { label, shape } of truth.filter(({ file_name: name }) => name === file(at)))
      for (let count = random.integer(3); count > 0; count--) {
        const near = said(at, shape.x + random.integer(12), shape.y + random.integer(12), {});
        const own = random.next() < 0.6 ? { label } : {};
        predictions.push({ ...near, ...own, ...{ confidence: (1 + random.integer(99)) / 100 } });
      }
    for (let count = random.integer(3); count > 0; count--)
      predictions.push(said(at, random.integer(120), random.integer(80), { confidence: random.next() }));
  }
  return { truth, predictions };
}

describe('figures of an evaluation', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;
  let sources: SourceClient;
  let evaluations: EvaluationClient;
  let media: readonly string[];

  beforeAll(async () => {
    const seeds = Array.from({ length: PICTURES }, (_, seed) => seed);
    dataset = await additions.indexed('Figures', await additions.writeFolder('Pictures', seeds));
    sources = new SourceClient(additions.api, dataset);
    evaluations = new EvaluationClient(additions.api, dataset);
    media = (await additions.rows(dataset)).map(({ id }) => id);
  });

  const get = <Answer>(path: string): Promise<Answer> => additions.api.must<Answer>(200, 'GET', path);

  /** How many media a search finds. */
  async function found(vql: readonly object[]): Promise<number> {
    const query = `vql=${encodeURIComponent(JSON.stringify(vql))}`;
    return (await get<{ total: number }>(`/api/v1/dataset/${dataset}/facets?${query}`)).total;
  }

  const filter = (evaluation: string, value: string | readonly string[], more: object = {}): object[] => [
    { evaluation: { op: 'is', value, evaluation, ...more } },
  ];

  async function compared(seed: number, options: object = {}) {
    const { truth, predictions } = randomBoxes(seed);
    await sources.send({ source: `truth-${seed}`, annotations: truth });
    await sources.send({ source: `found-${seed}`, annotations: predictions });
    return evaluations.completed({ truth: `truth-${seed}`, predictions: `found-${seed}`, options });
  }

  it.each([1, 2, 3])('find with each cell of the matrix as many media as it has: seed %s', async (seed) => {
    const options = seed === 3 ? { class_confidences: { cat: 0.2, dog: 0.9 } } : {};
    const { id } = await compared(seed, options);
    for (const rest of ['', '?confidence=0', '?confidence=0.55', '?confidence=1']) {
      const { cells } = await get<{ cells: Cell[] }>(evaluations.path(`/${id}/confusion${rest}`));
      const counts = await get<Counts>(evaluations.path(`/${id}/counts${rest}`));
      for (const { vql, n_media: expected, ...cell } of cells)
        expect({ ...cell, found: await found(vql) }).toEqual({ ...cell, found: expected });
      const sum = (passes: (cell: Cell) => boolean): number =>
        cells.filter(passes).reduce((total, { count }) => total + count, 0);
      expect(sum(({ truth, predicted }) => truth === predicted)).toBe(counts.tp);
      expect(sum(({ truth, predicted }) => predicted !== null && truth !== predicted)).toBe(counts.fp);
      expect(sum(({ predicted }) => predicted === null)).toBe(counts.kinds['missed']);
    }
    expect(await found(filter(id, ['tp', 'fp', 'fn'], { confidence: 0 }))).toBeGreaterThan(PICTURES / 2);
  });

  it('say that their file is damaged or missing, until the evaluation runs again', async () => {
    const { id } = await compared(9);
    const [row] = await additions.sql<{ file: string }>('SELECT result_file AS file FROM evaluation WHERE id = $1', [
      id,
    ]);
    const placeOf = (file: string): string => additions.place('data', 'store', 'evaluations', `${file}.outcomes`);
    const bytes = await readFile(placeOf(row!.file));
    bytes[bytes.length >> 1]! ^= 1;
    // Under names that no cache knows.
    const [damaged, missing] = [randomUUID(), randomUUID()];
    await writeFile(placeOf(damaged), bytes);
    const asked = ['counts', 'confusion', 'curves', 'failures', `media/${media[0]}`];
    for (const file of [damaged, missing]) {
      await additions.sql('UPDATE evaluation SET result_file = $2 WHERE id = $1', [id, file]);
      const key = `evaluations/${file}.outcomes`;
      const detail = `The object ${key} is missing or damaged in the store. Run the evaluation again.`;
      for (const rest of asked)
        expect(await additions.api.ask('GET', evaluations.path(`/${id}/${rest}`))).toMatchObject({
          status: 500,
          body: { detail },
        });
    }
    await evaluations.runAgain(id);
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED' });
    for (const rest of asked) await get(evaluations.path(`/${id}/${rest}`));
  });

  it('tell of each picture what became of its annotations', async () => {
    const { id } = await compared(4);
    const counts = await get<Counts>(evaluations.path(`/${id}/counts?confidence=0.3`));
    const pictures = await Promise.all(
      media.map((each) => get<Picture>(evaluations.path(`/${id}/media/${each}?confidence=0.3`))),
    );
    const of = (part: keyof Picture, outcome: string): Outcome[] =>
      pictures.flatMap((picture) => picture[part]).filter((each) => each.outcome === outcome);
    expect([of('truth', 'tp').length, of('truth', 'fn').length]).toEqual([counts.tp, counts.fn]);
    expect([of('predictions', 'tp').length, of('predictions', 'fp').length]).toEqual([counts.tp, counts.fp]);
    for (const { truth, predictions } of pictures)
      for (const { annotation_id: annotation, partner_id: partner, iou } of truth.filter(
        (each) => each.outcome === 'tp',
      ))
        expect(predictions.find((each) => each.annotation_id === partner)).toMatchObject({
          outcome: 'tp',
          partner_id: annotation,
          iou,
        });
    const [first] = of('truth', 'tp');
    const at = pictures.findIndex(({ truth }) => truth.includes(first!));
    const { annotations } = await sources.list(`?source=truth-4&media_id=${media[at]!}`);
    const changed = annotations.find((each) => each['id'] === first!.annotation_id)!;
    const { file_path: name, shape } = changed as { file_path: string; shape: object };
    const again = { file_name: name, id: first!.annotation_id, label: 'changed', shape };
    await sources.send({ source: 'truth-4', mode: 'merge', annotations: [again] });
    const now = await get<Picture>(evaluations.path(`/${id}/media/${media[at]!}?confidence=0.3`));
    expect(now.truth.map(({ annotation_id: known }) => known)).not.toContain(first!.annotation_id);
    expect(now.predictions.find((each) => each.annotation_id === first!.partner_id)).toMatchObject({
      outcome: 'tp',
      partner_id: null,
    });
  });

  it('find what another evaluation of the same truth found', async () => {
    const { truth } = randomBoxes(5);
    await sources.send({ source: 'truth-5', annotations: truth });
    const all = truth.map((each) => ({ ...each, confidence: 0.9 }));
    await sources.send({ source: 'all', annotations: all });
    await sources.send({ source: 'some', annotations: all.filter(({ file_name: name }) => name < '3') });
    const better = await evaluations.completed({ truth: 'truth-5', predictions: 'all' });
    const worse = await evaluations.completed({ truth: 'truth-5', predictions: 'some' });
    const missing = await found(filter(worse.id, 'fn'));
    expect(missing).toBeGreaterThan(0);
    expect(await found(filter(worse.id, 'fn', { better_in: better.id }))).toBe(missing);
    expect(await found(filter(better.id, 'tp', { better_in: worse.id }))).toBe(await found(filter(worse.id, 'tp')));
    expect(await found(filter(better.id, 'fn', { better_in: worse.id }))).toBe(0);
  });

  it('are followed by searches after another run, and can be tagged', async () => {
    const { id } = await compared(6);
    const clusters = async () => {
      const vql = encodeURIComponent(JSON.stringify(filter(id, 'tp')));
      type Page = { clusters: { cluster_id: string; n_images: number }[] };
      return (await get<Page>(`/api/v1/explore/${dataset}?threshold=4&vql=${vql}`)).clusters;
    };
    const explored = async (): Promise<number> =>
      (await clusters()).reduce((sum, { n_images: images }) => sum + images, 0);
    const before = await explored();
    expect(before).toBe(await found(filter(id, 'tp')));
    await sources.send({
      source: 'found-6',
      mode: 'replace',
      annotations: randomBoxes(6).truth.map((each) => ({ ...each, confidence: 1 })),
    });
    expect(await explored()).toBe(before);
    await evaluations.runAgain(id);
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await explored()).toBe(await found(filter(id, 'tp')));
    expect(await explored()).toBeGreaterThan(before);
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/tags`, {
      name: 'found',
    });
    const selected = (await clusters()).map(({ cluster_id: cluster }) => ({
      type: 'cluster',
      payload: { cluster_id: cluster, cluster_filters: { vql: filter(id, 'tp') } },
    }));
    const body = { media_selection: selected };
    await additions.api.must(200, 'POST', `/api/v1/dataset/${dataset}/tags/${tag}/assign`, body);
    expect(await found([{ tags: { op: 'is', value: [tag] } }])).toBe(await explored());
    const { snapshot_id: snapshot } = await new SnapshotClient(additions.api).keep(dataset);
    const query = `snapshot_id=${snapshot}&vql=${encodeURIComponent(JSON.stringify(filter(id, 'tp')))}`;
    const inSnapshot = await get<{ total: number }>(`/api/v1/dataset/${dataset}/facets?${query}`);
    expect(inSnapshot.total).toBe(await explored());
  });
});
