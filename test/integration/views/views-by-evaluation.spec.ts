import { DomainEvents, type DomainEvent } from '../../../src/modules/events';
import { MOST_WAITING } from '../../../src/modules/views/jobs/waiting-views.step';
import { Additions } from '../../support/additions';
import { withHeldJobs } from '../../support/at-once';
import { formOf } from '../../support/api-client';
import { EvaluationClient } from '../../support/evaluation-client';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: { readonly vql: readonly unknown[] };
  readonly stats: { readonly n_images: number };
  readonly total_results: number;
  readonly evaluation_error: string | null;
  readonly n_waiting: number;
}

interface Trend {
  readonly points: readonly { readonly batch_id: string; readonly count: number }[];
}

const box = (file: string, label: string, more: object = {}) => ({
  file_name: file,
  label,
  shape: { type: 'box', x: 10, y: 10, width: 40, height: 40 },
  ...more,
});
const wrong = (evaluation: string, more: object = {}) => ({
  evaluation: { op: 'is', value: ['fp'], evaluation, ...more },
});

describe('saved views by an evaluation', () => {
  let running: TestApp;
  let additions: Additions;
  let snapshots: SnapshotClient;
  let folder: string;
  let seed = 100;
  const events: DomainEvent[] = [];

  beforeAll(async () => {
    running = await startTestApp();
    additions = new Additions(running);
    snapshots = new SnapshotClient(additions.api);
    folder = await additions.writeFolder('Viewed', [0, 1, 2]);
    running.app.get(DomainEvents).listen((event) => Promise.resolve(void events.push(event)));
  });

  afterAll(() => running.close());

  /** A dataset in whose first picture a detector is wrong. */
  async function made(name: string, more: object = {}) {
    const dataset = await additions.indexed(name, folder);
    const sources = new SourceClient(additions.api, dataset);
    await sources.send({ source: 'careful', annotations: [box('0.jpg', 'cat'), box('1.jpg', 'dog')] });
    await sources.send({ source: 'detector', annotations: [box('0.jpg', 'dog', { confidence: 0.9 })] });
    const evaluations = new EvaluationClient(additions.api, dataset);
    const { id } = await evaluations.completed({ ...compared, ...more });
    return { dataset, sources, evaluations, id };
  }
  const compared = { truth: 'careful', predictions: 'detector', options: { confidence: 0.5 } };

  const save = async (dataset: string, name: string, vql: readonly unknown[]): Promise<string> => {
    const path = `/api/v1/dataset/${dataset}/views?${new URLSearchParams({ vql: JSON.stringify(vql) }).toString()}`;
    return (await additions.api.must<View>(200, 'POST', path, formOf({ name }))).id;
  };
  const viewOf = async (dataset: string, name: string): Promise<View> => {
    const { views } = await additions.api.must<{ views: View[] }>(200, 'GET', `/api/v1/dataset/${dataset}/views`);
    return views.find((view) => view.name === name)!;
  };
  const trendOf = async (dataset: string, view: string): Promise<Trend['points']> =>
    (await additions.api.must<Trend>(200, 'GET', `/api/v1/dataset/${dataset}/views/${view}/trend`)).points;
  const alertsOf = async (dataset: string): Promise<unknown[]> => {
    type Told = { notifications: { metadata: { view_name: string; result_count: number; batch_id: string } }[] };
    const { notifications } = await additions.api.must<Told>(200, 'GET', `/api/v1/notifications?dataset_id=${dataset}`);
    return notifications.map(({ metadata }) => [metadata.view_name, metadata.result_count, metadata.batch_id]);
  };
  const counted = (): Promise<void> =>
    waitUntil(async () => {
      const jobs = "SELECT 1 FROM job_run WHERE type IN ('evaluate-views', 'resume-views') AND finished_at IS NULL";
      return (await additions.sql(jobs)).length === 0;
    });
  /** Returns the id of the batch. */
  const add = async (dataset: string, ...names: readonly string[]): Promise<string> => {
    await additions.api.untilStatus(dataset, ['READY', 'PARTIAL INDEX']);
    const files = await Promise.all(names.map(async (name) => ({ name, bytes: await pictureBytes((seed += 1)) })));
    await additions.addUploads(dataset, files);
    const { task_id: batch } = await additions.ended(dataset);
    await counted();
    return batch;
  };
  const run = async (evaluations: EvaluationClient, id: string): Promise<void> => {
    await evaluations.runAgain(id);
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED' });
    await counted();
  };

  it('count a batch once, after a run has compared its pictures', async () => {
    const { dataset, sources, evaluations, id } = await made('Waiting');
    const all = await save(dataset, 'all', []);
    const view = await save(dataset, 'wrong', [{ or: [{ and: [wrong(id)] }] }]);
    const batch = await add(dataset, 'a.jpg', 'b.jpg', 'c.jpg');
    expect(await trendOf(dataset, all)).toMatchObject([{ batch_id: batch, count: 3 }]);
    expect(await trendOf(dataset, view)).toEqual([]);
    expect(await viewOf(dataset, 'all')).toMatchObject({ n_waiting: 0 });
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: 1, stats: { n_images: -1 } });
    await run(evaluations, id);
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: 1, evaluation_error: null });
    expect(await alertsOf(dataset)).toEqual([['all', 3, batch]]);
    const found = ['a.jpg', 'b.jpg'].map((file) => box(file, 'dog', { confidence: 0.9 }));
    await sources.send({ source: 'detector', annotations: [...found, box('c.jpg', 'dog', { confidence: 0.1 })] });
    await run(evaluations, id);
    const seen = { n_waiting: 0, total_results: 2, stats: { n_images: 2, n_objects: 0, n_video_frames: 0 } };
    expect(await viewOf(dataset, 'wrong')).toMatchObject(seen);
    await sources.send({ source: 'detector', annotations: [box('c.jpg', 'cat', { confidence: 0.9 })] });
    await run(evaluations, id);
    expect(await viewOf(dataset, 'wrong')).toMatchObject(seen);
    expect(await trendOf(dataset, view)).toMatchObject([{ batch_id: batch, count: 2, cumulative: 2 }]);
    expect(await alertsOf(dataset)).toEqual([
      ['wrong', 2, batch],
      ['all', 3, batch],
    ]);
    expect(events.filter((event) => event.type === 'view.matched' && event.viewId === view)).toMatchObject([
      { viewName: 'wrong', batchId: batch, count: 2 },
    ]);
  });

  it('are counted at once where a run has compared the batch before them', async () => {
    const { dataset, sources, evaluations, id } = await made('Late');
    const view = await save(dataset, 'wrong', [wrong(id)]);
    const held = async (): Promise<void> => {
      await additions.addUploads(dataset, [{ name: 'a.jpg', bytes: await pictureBytes((seed += 1)) }]);
      await additions.ended(dataset);
      await sources.send({ source: 'detector', annotations: [box('a.jpg', 'dog', { confidence: 0.9 })] });
      await evaluations.runAgain(id);
      expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED' });
    };
    await withHeldJobs(running, held, 'evaluate-views');
    await counted();
    expect(await trendOf(dataset, view)).toMatchObject([{ count: 1 }]);
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: 0 });
    expect(await alertsOf(dataset)).toHaveLength(1);
  });

  it('wait for every evaluation that they name, and for truth if only pictures with truth are compared', async () => {
    const { dataset, sources, evaluations, id } = await made('Several');
    const options = { confidence: 0.5, pictures: 'with_truth' };
    const { id: strict } = await evaluations.completed({ ...compared, options });
    const view = await save(dataset, 'both', [wrong(id), { not: { not: wrong(id, { better_in: strict }) } }]);
    const other = await save(dataset, 'either', [{ or: [wrong(id), wrong(strict)] }]);
    const batch = await add(dataset, 'a.jpg');
    await sources.send({ source: 'detector', annotations: [box('a.jpg', 'dog', { confidence: 0.9 })] });
    for (const each of [id, strict]) await run(evaluations, each);
    for (const name of ['both', 'either']) expect(await viewOf(dataset, name)).toMatchObject({ n_waiting: 1 });
    await sources.send({ source: 'careful', annotations: [box('a.jpg', 'cat')] });
    await run(evaluations, strict);
    for (const name of ['both', 'either']) expect(await viewOf(dataset, name)).toMatchObject({ n_waiting: 0 });
    expect(await trendOf(dataset, view)).toMatchObject([{ batch_id: batch, count: 0 }]);
    expect(await trendOf(dataset, other)).toMatchObject([{ batch_id: batch, count: 1 }]);
    expect(await alertsOf(dataset)).toEqual([['either', 1, batch]]);
  });

  it('say so when their evaluation is deleted, and leave nothing when they are', async () => {
    const { dataset, evaluations, id } = await made('Deleted');
    await save(dataset, 'wrong', [wrong(id)]);
    const { id: second } = await evaluations.completed(compared);
    const doomed = await save(dataset, 'doomed', [wrong(second)]);
    await add(dataset, 'a.jpg');
    await additions.api.must(204, 'DELETE', evaluations.path(`/${id}`));
    await additions.api.must(200, 'DELETE', `/api/v1/dataset/${dataset}/views/${doomed}`);
    await counted();
    const error = `The dataset has no evaluation ${id}.`;
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: 0, evaluation_error: error });
    expect(await additions.sql('SELECT 1 FROM view_evaluation WHERE waits_for && $1', [[id, second]])).toEqual([]);
    await add(dataset, 'b.jpg');
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: 0, evaluation_error: error });
    expect(await alertsOf(dataset)).toEqual([]);
  });

  it('wait in the newest batches only', async () => {
    const { dataset, id } = await made('Many');
    const view = await save(dataset, 'wrong', [wrong(id)]);
    await additions.sql(
      `INSERT INTO view_evaluation (view_id, batch_id, arrived_at, waits_for)
       SELECT $1, gen_random_uuid(), now() - interval '1 day' * day, ARRAY[$2]::uuid[] FROM generate_series(1, $3) day`,
      [view, id, MOST_WAITING],
    );
    await add(dataset, 'a.jpg');
    expect(await viewOf(dataset, 'wrong')).toMatchObject({ n_waiting: MOST_WAITING, total_results: 0 });
    expect(await trendOf(dataset, view)).toMatchObject([{ count: 0 }]);
  });

  it('name the evaluations of their dataset when it is a clone', async () => {
    const { dataset, evaluations, id } = await made('Cloned');
    const filter = { vql: [{ not: wrong(id) }] };
    await evaluations.completed({ ...compared, name: 'Right', filter });
    await evaluations.completed({ ...compared, name: 'As text', filter: { vql: JSON.stringify(filter.vql) } });
    const { snapshot_id: snapshot } = await snapshots.keep(dataset);
    const { id: later } = await evaluations.completed({ ...compared, name: 'Later' });
    await save(dataset, 'wrong', [{ or: [{ not: wrong(id, { better_in: id }) }] }]);
    await save(dataset, 'later', [wrong(later)]);
    const clone = (await snapshots.clone(dataset, snapshot, '?with_views=true')).id;
    const copies = new EvaluationClient(additions.api, clone);
    const byName = new Map((await copies.list()).map((each) => [each.name, each]));
    expect([...byName.keys()].sort()).toEqual(['As text', 'Right', 'Test']);
    const copy = byName.get('Test')!.id;
    expect(copy).not.toBe(id);
    for (const name of ['Right', 'As text'])
      expect(byName.get(name)).toMatchObject({ filter: { vql: [{ not: wrong(copy) }] } });
    await run(copies, byName.get('Right')!.id);
    const view = await viewOf(clone, 'wrong');
    expect(view.filters.vql).toEqual([{ or: [{ not: wrong(copy, { better_in: copy }) }] }]);
    expect(view).toMatchObject({ evaluation_error: null });
    const gone = `The dataset has no evaluation ${later}.`;
    expect(await viewOf(clone, 'later')).toMatchObject({ filters: { vql: [wrong(later)] }, evaluation_error: gone });
    expect(await viewOf(dataset, 'later')).toMatchObject({ evaluation_error: null });
  });
});
