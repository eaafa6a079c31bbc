import { EvaluationSweep } from '../../../src/modules/evaluation/evaluation.sweep';
import { Additions } from '../../support/additions';
import { EvaluationClient } from '../../support/evaluation-client';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { ageKeys, storedKeys } from '../../support/stored-keys';
import { pictureBytes } from '../../support/pictures';
import { withHeldJobs } from '../../support/at-once';
import { waitUntil } from '../../support/wait-until';
import { runningApp } from '../../support/test-app';
import { filesForm, formOf } from '../../support/api-client';

const box = (file: string, label: string, x: number, more: object = {}) => ({
  file_name: file,
  label,
  shape: { type: 'box', x, y: 10, width: 40, height: 40 },
  ...more,
});

const TRUTH = [box('0.jpg', 'cat', 10), box('0.jpg', 'dog', 80), box('1.jpg', 'cat', 10), box('2.jpg', 'dog', 40)];
const FOUND = [
  box('0.jpg', 'cat', 10, { confidence: 0.9 }),
  box('0.jpg', 'dog', 80, { confidence: 0.8 }),
  box('1.jpg', 'dog', 10, { confidence: 0.7 }),
];

describe('evaluations', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let snapshots: SnapshotClient;
  let folder: string;

  beforeAll(async () => {
    snapshots = new SnapshotClient(additions.api);
    // Pictures of 160 by 120 pixels.
    folder = await additions.writeFolder('Pictures', [0, 1, 2]);
  });

  /** A dataset with boxes of two sources beside each other. */
  async function made(name: string) {
    const dataset = await additions.indexed(name, folder);
    const sources = new SourceClient(additions.api, dataset);
    await sources.send({ source: 'careful', annotations: TRUTH });
    await sources.send({ source: 'detector', annotations: FOUND });
    return { dataset, sources, evaluations: new EvaluationClient(additions.api, dataset) };
  }

  it('compare two sources, and all figures of a source and its copy are 1', async () => {
    const { evaluations, sources } = await made('Compared');
    const shown = await evaluations.completed({ truth: 'careful', predictions: 'detector' });
    expect(shown).toMatchObject({ n_pictures: 3, n_truth: 4, n_predictions: 3, up_to_date: true, changed: [] });
    expect(shown.metrics!['AP50']).toBeCloseTo(0.5, 2);
    expect(Object.keys(shown.metrics!).slice(0, 3)).toEqual(['AP', 'AP50', 'AP75']);
    expect(shown.per_class.map(({ label }) => label)).toEqual(['cat', 'dog']);
    await sources.send({ source: 'copy', annotations: TRUTH.map((each) => ({ ...each, confidence: 1 })) });
    const same = await evaluations.completed({ truth: 'careful', predictions: 'copy' });
    for (const figure of ['AP', 'AP50', 'AP75', 'AR100', 'precision', 'recall', 'f1'])
      expect([figure, same.metrics![figure]]).toEqual([figure, 1]);
    expect((await evaluations.list()).map(({ id }) => id)).toEqual([same.id, shown.id]);
  });

  it('are of the pictures that a filter finds, or that have truth', async () => {
    const { evaluations, sources } = await made('Filtered');
    const filter = { vql: [{ labels: { op: 'one_of', value: ['dog'], source: 'careful' } }] };
    const some = await evaluations.completed({ truth: 'careful', predictions: 'detector', filter });
    expect(some).toMatchObject({ n_pictures: 2, n_truth: 3, n_predictions: 2, filter });
    await sources.send({ source: 'few', annotations: TRUTH.slice(0, 2) });
    const options = { pictures: 'with_truth' };
    const few = await evaluations.completed({ truth: 'few', predictions: 'detector', options });
    expect(few).toMatchObject({ n_pictures: 1, n_truth: 2, n_predictions: 2 });
  });

  it('say what has changed since, and keep the figures of the run before', async () => {
    const { dataset, evaluations, sources } = await made('Changing');
    const { id, metrics } = await evaluations.completed({ truth: 'careful', predictions: 'detector' });
    await sources.send({ source: 'other', annotations: TRUTH });
    expect(await evaluations.get(id)).toMatchObject({ up_to_date: true, changed: [] });
    await sources.send({ source: 'detector', annotations: [box('2.jpg', 'dog', 40, { confidence: 0.9 })] });
    expect(await evaluations.get(id)).toMatchObject({ up_to_date: false, changed: ['predictions'] });
    await sources.send({ source: 'careful', annotations: [box('1.jpg', 'dog', 10)] });
    await additions.addUploads(dataset, [{ name: 'added.jpg', bytes: await pictureBytes(9) }]);
    await additions.api.untilStatus(dataset, ['PARTIAL INDEX']);
    expect(await evaluations.get(id)).toMatchObject({ changed: ['truth', 'predictions', 'media'], metrics });
    await evaluations.runAgain(id);
    const again = await evaluations.untilOver(id);
    expect(again).toMatchObject({ status: 'COMPLETED', up_to_date: true, previous_metrics: metrics, n_pictures: 4 });
    expect(again.metrics).not.toEqual(metrics);
    await sources.remove('detector');
    expect(await evaluations.get(id)).toMatchObject({ changed: ['predictions'] });
    const refused = await additions.api.ask('POST', evaluations.path(`/${id}/runs`));
    expect(refused).toMatchObject({ status: 404, body: { detail: "Annotation source 'detector' not found" } });
  });

  it('stay when a snapshot is restored, and those made before it are in its clone', async () => {
    const { dataset, evaluations, sources } = await made('Kept');
    const before = await evaluations.completed({ name: 'Before', truth: 'careful', predictions: 'detector' });
    const sampled = JSON.stringify({ AP: [before.metrics!['AP'], before.metrics!['AP']] });
    await additions.sql('UPDATE evaluation SET samples = $1 WHERE id = $2', [sampled, before.id]);
    const { intervals } = await evaluations.get(before.id);
    expect(intervals).toEqual({ AP: [expect.any(Number), expect.any(Number)] });
    const { snapshot_id: snapshot } = await snapshots.keep(dataset);
    await sources.send({ source: 'detector', annotations: [box('2.jpg', 'dog', 40, { confidence: 0.9 })] });
    const after = await evaluations.completed({ name: 'After', truth: 'careful', predictions: 'detector' });
    await snapshots.restore(dataset, snapshot);
    expect(await evaluations.get(before.id)).toMatchObject({ metrics: before.metrics, up_to_date: true });
    expect(await evaluations.get(after.id)).toMatchObject({ metrics: after.metrics, changed: ['predictions'] });
    const clone = new EvaluationClient(additions.api, (await snapshots.clone(dataset, snapshot)).id);
    const [copied, ...others] = await clone.list();
    expect(others).toEqual([]);
    expect(copied).toMatchObject({ name: 'Before', status: 'COMPLETED', task_id: null, up_to_date: true });
    expect(await clone.get(copied!.id)).toMatchObject({
      metrics: before.metrics,
      per_class: before.per_class,
      intervals,
    });
    await additions.api.must(204, 'DELETE', evaluations.path(`/${before.id}`));
    await additions.api.must(204, 'DELETE', evaluations.path(`/${after.id}`));
    await ageKeys(store(), 'evaluations');
    await running.app.get(EvaluationSweep).sweep(new Date());
    const rows = await additions.sql<{ file: string }>('SELECT result_file AS file FROM evaluation');
    const files = new Set(rows.map(({ file }) => `evaluations/${file}.outcomes`));
    expect(await storedKeys(store(), 'evaluations')).toEqual([...files].sort());
  });

  it('begin when an import is completed', async () => {
    const { evaluations } = await made('Imported');
    const coco = {
      images: [{ id: 1, file_name: '0.jpg', width: 160, height: 120 }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [10, 10, 40, 40], score: 0.75 }],
    };
    const evaluation = JSON.stringify({ name: 'Imported', truth: 'careful', task: 'detection' });
    const form = formOf({ source: 'imported', format: 'coco', evaluation });
    for (const [name, value] of filesForm([{ name: 'results.json', bytes: Buffer.from(JSON.stringify(coco)) }]))
      form.append(name, value);
    const { evaluation_id: id, task_id: task } = await additions.api.must<{ evaluation_id: string; task_id: string }>(
      202,
      'POST',
      evaluations.path('/import'),
      form,
    );
    const shown = await evaluations.untilOver(id);
    expect(shown).toMatchObject({ status: 'COMPLETED', predictions: 'imported', n_predictions: 1 });
    expect(shown.task_id).not.toBe(task);
  });

  it('fail with an import that fails, and leave nothing if the import is refused', async () => {
    const { evaluations } = await made('Refused');
    const ask = (fields: Readonly<Record<string, string>>) => {
      const form = formOf(fields);
      for (const [name, value] of filesForm([{ name: 'results.json', bytes: Buffer.from('{') }]))
        form.append(name, value);
      return additions.api.ask('POST', evaluations.path('/import'), form);
    };
    const asked = { name: 'Imported', truth: 'careful', task: 'detection' };
    const refused = [
      [{ source: 'imported' }, 422],
      [{ source: 'imported', evaluation: '{' }, 422],
      [{ source: 'imported', evaluation: JSON.stringify({ ...asked, task: 'none' }) }, 422],
      [{ source: 'careful', evaluation: JSON.stringify(asked) }, 422],
      [{ source: 'imported', evaluation: JSON.stringify({ ...asked, truth: 'nobody' }) }, 404],
      [{ source: 'imported', evaluation: JSON.stringify({ ...asked, task: 'keypoints' }) }, 400],
    ] as const;
    for (const [fields, status] of refused) expect([fields, (await ask(fields)).status]).toEqual([fields, status]);
    expect(await evaluations.list()).toEqual([]);
    const { body } = await ask({ source: 'imported', format: 'coco', evaluation: JSON.stringify(asked) });
    const shown = await evaluations.untilOver((body as { evaluation_id: string }).evaluation_id);
    expect(shown).toMatchObject({ status: 'FAILED', metrics: null, up_to_date: null });
    expect(shown.error).toContain('results.json');
  });

  it('have options of a limited size, because a list of evaluations has those of each', async () => {
    const { evaluations } = await made('Large');
    const labels = Array.from({ length: 3_000 }, (_, at) => [String(at).padEnd(100, 'x'), 0.5]);
    const options = { class_confidences: Object.fromEntries(labels) as object };
    const body = { name: 'Large', truth: 'careful', predictions: 'detector', task: 'detection', options };
    expect(await additions.api.ask('POST', evaluations.path(), body)).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than the 256 KiB that are allowed here' },
    });
    expect(await evaluations.list()).toEqual([]);
  });

  it('can be aborted, retried and deleted while they wait', async () => {
    const { dataset, evaluations } = await made('Aborted');
    const [id, doomed] = await withHeldJobs(running, async () => {
      const one = await evaluations.start({ truth: 'careful', predictions: 'detector' });
      const two = await evaluations.start({ truth: 'careful', predictions: 'detector' });
      const path = evaluations.path(`/${one.evaluation_id}`);
      expect(await evaluations.get(one.evaluation_id)).toMatchObject({ status: 'RUNNING', metrics: null });
      expect(await additions.api.ask('POST', `${path}/runs`)).toMatchObject({ status: 409 });
      expect(await additions.api.ask('DELETE', `/api/v1/dataset/${dataset}`)).toMatchObject({
        status: 409,
        body: { detail: "Operation 'delete_dataset' is blocked while EVALUATION task is running" },
      });
      await additions.api.must(200, 'POST', `/api/v1/tasks/${one.task_id}/abort`);
      expect(await evaluations.get(one.evaluation_id)).toMatchObject({ status: 'ABORTED', up_to_date: null });
      await additions.api.must(204, 'DELETE', evaluations.path(`/${two.evaluation_id}`));
      expect(await snapshots.tasks(dataset, 'EVALUATION')).toMatchObject([
        { status: 'ABORTED' },
        { status: 'ABORTED' },
      ]);
      await additions.api.must(200, 'POST', `/api/v1/tasks/${one.task_id}/retry`);
      return [one.evaluation_id, two];
    });
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED', n_predictions: 3 });
    await additions.api.must(200, 'POST', `/api/v1/tasks/${doomed.task_id}/retry`);
    await waitUntil(async () =>
      (await snapshots.tasks(dataset, 'EVALUATION')).some(({ status }) => status === 'FAILED'),
    );
    const tasks = await snapshots.tasks(dataset, 'EVALUATION');
    expect(tasks.map(({ error_message: error }) => error)).toContain(
      'The evaluation was deleted, or was run again since',
    );
    const pins = await additions.sql('SELECT id FROM evaluation WHERE generation_id IS NOT NULL');
    expect(pins).toEqual([]);
  });

  it('wait for each other while the dataset is edited, restored and cloned', async () => {
    const { dataset, evaluations, sources } = await made('Many');
    const count = 16;
    const started = await withHeldJobs(running, async () => {
      const all = await Promise.all(
        Array.from({ length: count }, () => evaluations.start({ truth: 'careful', predictions: 'detector' })),
      );
      const waiting = await snapshots.tasks(dataset, 'EVALUATION');
      expect(waiting.map((task) => task.status_message)).toEqual(new Array(count).fill('Waiting to start'));
      return all;
    });
    const { snapshot_id: snapshot } = await snapshots.keep(dataset);
    await sources.send({ source: 'detector', annotations: [box('2.jpg', 'dog', 40, { confidence: 0.9 })] });
    await snapshots.restore(dataset, snapshot);
    await snapshots.clone(dataset, snapshot);
    for (const { evaluation_id: id } of started) {
      const { status, n_predictions: predictions } = await evaluations.untilOver(id);
      expect([status, predictions]).toEqual(['COMPLETED', predictions === 4 ? 4 : 3]);
    }
    expect(await additions.sql('SELECT id FROM evaluation WHERE generation_id IS NOT NULL')).toEqual([]);
  });

  it('end with their dataset', async () => {
    const { dataset, evaluations } = await made('Deleted');
    await evaluations.completed({ truth: 'careful', predictions: 'detector' });
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${dataset}`);
    expect(await additions.sql('SELECT id FROM evaluation WHERE dataset_id = $1', [dataset])).toEqual([]);
  });

  const store = (): string => additions.place('data', 'store');
});
