import { KeptEvaluations } from '../../../src/modules/evaluation/kept-evaluations';
import { Additions } from '../../support/additions';
import { EvaluationClient } from '../../support/evaluation-client';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

const box = (file: string, label: string, more: object = {}) => ({
  file_name: file,
  label,
  shape: { type: 'box', x: 10, y: 10, width: 40, height: 40 },
  ...more,
});

const HOUR_MS = 60 * 60 * 1000;

describe('evaluations that are kept up to date', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let snapshots: SnapshotClient;
  let folder: string;

  beforeAll(async () => {
    snapshots = new SnapshotClient(additions.api);
    folder = await additions.writeFolder('Kept', [0, 1, 2]);
  });

  const later = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);
  const look = (at: Date): Promise<number> => running.app.get(KeptEvaluations).sweep(at);
  const runs = (dataset: string) => snapshots.tasks(dataset, 'EVALUATION');

  async function made(name: string, more: object = {}) {
    const dataset = await additions.indexed(name, folder);
    const sources = new SourceClient(additions.api, dataset);
    await sources.send({ source: 'careful', annotations: [box('0.jpg', 'cat'), box('1.jpg', 'dog')] });
    await sources.send({ source: 'detector', annotations: [box('0.jpg', 'cat', { confidence: 0.9 })] });
    const evaluations = new EvaluationClient(additions.api, dataset);
    const { id } = await evaluations.completed({ truth: 'careful', predictions: 'detector', ...more });
    return { dataset, sources, evaluations, id };
  }

  it('run again once their sources or the media have changed, and not before', async () => {
    const { dataset, sources, evaluations, id } = await made('Changing', { keep_up_to_date: true });
    const still = await made('Still');
    expect(await evaluations.get(id)).toMatchObject({ keep_up_to_date: true, n_predictions: 1 });
    await look(later(1));
    expect(await runs(dataset)).toHaveLength(1);
    await sources.send({ source: 'other', annotations: [box('2.jpg', 'cat')] });
    await look(later(1));
    expect(await runs(dataset)).toHaveLength(1);
    await sources.send({ source: 'detector', annotations: [box('1.jpg', 'dog', { confidence: 0.8 })] });
    await still.sources.send({ source: 'detector', annotations: [box('1.jpg', 'dog', { confidence: 0.8 })] });
    await look(later(1));
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED', up_to_date: true, n_predictions: 2 });
    await additions.addUploads(dataset, [{ name: 'added.jpg', bytes: await pictureBytes(9) }]);
    await additions.api.untilStatus(dataset, ['PARTIAL INDEX']);
    await look(later(2));
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED', up_to_date: true, n_pictures: 4 });
    await look(later(3));
    expect(await runs(dataset)).toHaveLength(3);
    expect(await runs(still.dataset)).toHaveLength(1);
    const change = { keep_up_to_date: true };
    await additions.api.must(200, 'PATCH', still.evaluations.path(`/${still.id}`), change);
    await look(later(3));
    expect(await still.evaluations.untilOver(still.id)).toMatchObject({ up_to_date: true, n_predictions: 2 });
  });

  it('rest ten times as long as their last run took, and run once at a time', async () => {
    const { dataset, sources, id, evaluations } = await made('Resting', { keep_up_to_date: true });
    await additions.sql("UPDATE task SET start_time = end_time - interval '1 hour' WHERE dataset_id = $1", [dataset]);
    await sources.send({ source: 'detector', annotations: [box('1.jpg', 'dog', { confidence: 0.8 })] });
    await look(later(9.9));
    expect(await runs(dataset)).toHaveLength(1);
    await Promise.all([look(later(10.1)), look(later(10.1)), look(later(10.1))]);
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED', n_predictions: 2 });
    expect(await runs(dataset)).toHaveLength(2);
  });

  it('are tried again after a failure only when the dataset has changed', async () => {
    const { dataset, sources, id, evaluations } = await made('Failing', { keep_up_to_date: true });
    await sources.remove('detector');
    await look(later(1));
    expect(await evaluations.untilOver(id)).toMatchObject({
      status: 'FAILED',
      error: "Annotation source 'detector' not found",
    });
    await look(later(2));
    expect(await runs(dataset)).toHaveLength(2);
    await sources.send({ source: 'detector', annotations: [box('1.jpg', 'dog', { confidence: 0.8 })] });
    await look(later(3));
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'COMPLETED', n_predictions: 1 });
    expect(await runs(dataset)).toHaveLength(3);
  });
});
