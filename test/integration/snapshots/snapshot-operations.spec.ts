import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { JobQueue } from '../../../src/common/platform/jobs/job-queue';
import { DatasetReader } from '../../../src/modules/datasets';
import { DatasetStates } from '../../../src/modules/datasets/for-operations';
import { CLONE_SNAPSHOT } from '../../../src/modules/snapshots/jobs/clone-snapshot.job';
import { RESTORE_SNAPSHOT } from '../../../src/modules/snapshots/jobs/restore-snapshot.job';
import { TaskLedger, type TaskType } from '../../../src/modules/tasks';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const PICTURES = 6;
const RESTORES = 20;

const BEING_RESTORED = 'A snapshot that is being restored cannot be deleted';
const blocked = (operation: string): string =>
  `Operation '${operation}' is blocked while SNAPSHOT_RESTORE task is running`;

describe('operations on snapshots', () => {
  let running: TestApp;
  let api: ApiClient;
  let client: SnapshotClient;
  let source: string;

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    running.database.dataSource.query<Row[]>(text, values);
  const indexed = (name: string): Promise<string> => client.indexed(name, source);

  beforeAll(async () => {
    running = await startTestApp();
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    source = join(running.folder, 'source');
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i);
  });

  afterAll(() => running.close());

  it('block deletion of the snapshot while it is restored, and report it', async () => {
    const id = await indexed('Busy');
    const first = await client.keep(id, 'first');
    await client.keep(id, 'second');
    await open(id, 'SNAPSHOT_RESTORE', { snapshotId: first.snapshot_id, previousStatus: 'READY' });
    expect((await client.list(id)).filter((each) => each.is_restoring).map((each) => each.snapshot_id)).toEqual([
      first.snapshot_id,
    ]);
    expect(await api.must(409, 'DELETE', client.pathOf(id, `/${first.snapshot_id}`))).toEqual({
      detail: BEING_RESTORED,
    });
    expect(await api.must(409, 'POST', client.pathOf(id))).toEqual({ detail: blocked('snapshot') });
    expect(await api.must(409, 'POST', client.pathOf(id, '/current/restore'))).toEqual({
      detail: blocked('snapshot_restore'),
    });
    expect(await api.must(409, 'DELETE', `/api/v1/dataset/${id}`)).toEqual({ detail: blocked('delete_dataset') });
  });

  it('leave the dataset unchanged if the restore fails', async () => {
    const id = await indexed('Unharmed');
    const media = await client.mediaIds(id);
    const { snapshot_id: kept } = await client.keep(id);
    await sql("UPDATE dataset SET status_new = 'PARTIAL INDEX' WHERE id = $1", [id]);
    await startJob(id, 'SNAPSHOT_RESTORE', RESTORE_SNAPSHOT, { previousStatus: 'PARTIAL INDEX' });
    await api.untilStatus(id, ['PARTIAL INDEX']);
    expect(await client.tasks(id, 'SNAPSHOT_RESTORE')).toMatchObject([
      { status: 'FAILED', error_message: 'The snapshot was deleted' },
    ]);
    expect(await client.mediaIds(id)).toEqual(media);
    await client.restore(id, kept);
    expect(await client.mediaIds(id)).toEqual(media);
  });

  it('can repair a failed clone', async () => {
    const id = await indexed('Source');
    const copy = await client.clone(id, (await client.keep(id)).snapshot_id);
    await sql("UPDATE dataset SET status_new = 'INDEXING', generation_id = NULL, table_version = NULL WHERE id = $1", [
      copy.id,
    ]);
    await startJob(copy.id, 'SNAPSHOT_CLONE', CLONE_SNAPSHOT, {});
    await waitUntil(async () => (await client.dataset(copy.id)).status_new === 'ERROR');
    expect((await client.dataset(copy.id)).fatal_error_msg).toBe('The snapshot was deleted');
    const [own] = await client.list(copy.id);
    await api.must(409, 'GET', client.pathOf(copy.id, `/${own!.snapshot_id}/diff`));
    await api.must(202, 'POST', client.pathOf(copy.id, `/${own!.snapshot_id}/restore`));
    await waitUntil(async () => (await client.dataset(copy.id)).status_new === 'READY');
    expect(await client.dataset(copy.id)).toMatchObject({ fatal_error_msg: null, n_images: PICTURES });
    expect(await client.mediaIds(copy.id)).toHaveLength(PICTURES);
  });

  it('never expose a partly restored dataset', async () => {
    const id = await indexed('Flipped');
    const media = await client.mediaIds(id);
    const tag = await client.makeTag(id, 'one');
    await client.assign(id, tag, 'assign', media.slice(0, 1));
    const tagged = async (): Promise<string> =>
      (await client.previews(id))
        .flatMap(({ media_id: each, user_tags: tags }) =>
          Object.values(tags ?? {}).map(({ name }) => `${each} ${name}`),
        )
        .sort()
        .join();
    const first = { snapshot: (await client.keep(id)).snapshot_id, seen: await tagged() };
    await api.must(200, 'PATCH', `/api/v1/dataset/${id}/tags/${tag.id}`, { name: 'two' });
    await client.assign(id, tag, 'unassign', media.slice(0, 1));
    await client.assign(id, tag, 'assign', media.slice(1, 3));
    const second = { snapshot: (await client.keep(id)).snapshot_id, seen: await tagged() };
    const [states, seen] = [[first, second], new Set<string>()];
    let done = false;
    const looking = Array.from({ length: 3 }, async () => {
      while (!done) seen.add(await tagged());
    });
    for (let round = 0; round < RESTORES; round += 1) await client.restore(id, states[round % 2]!.snapshot);
    done = true;
    await Promise.all(looking);
    expect([...seen].sort()).toEqual(states.map((state) => state.seen).sort());
  });

  it('are refused if snapshots are disabled globally or for the dataset', async () => {
    const id = await indexed('Without');
    const { snapshot_id: kept } = await client.keep(id);
    await sql('UPDATE dataset SET snapshots_supported = false WHERE id = $1', [id]);
    const all = (dataset: string, snapshot: string): [string, string, object?][] => [
      ['GET', client.pathOf(dataset)],
      ['POST', client.pathOf(dataset)],
      ['PATCH', client.pathOf(dataset, `/${snapshot}`), { name: 'x' }],
      ['POST', client.pathOf(dataset, `/${snapshot}/restore`)],
      ['POST', client.pathOf(dataset, `/${snapshot}/clone`)],
      ['DELETE', client.pathOf(dataset, `/${snapshot}`)],
      ['GET', client.pathOf(dataset, `/${snapshot}/diff`)],
      ['GET', `/api/v1/explore/${dataset}?snapshot_id=${snapshot}`],
    ];
    for (const [method, path, body] of all(id, kept)) {
      expect(await api.must(403, method, path, body)).toEqual({
        detail: 'Snapshot feature is not enabled for this dataset',
      });
    }
    const without = await startTestApp({ DATASET_SNAPSHOTS_ENABLED: 'false' });
    try {
      const other = new ApiClient(without.url);
      const path = '/api/v1/ingestion/new_dataset?dataset_name=Without';
      const { dataset_id: draft } = await other.must<{ dataset_id: string }>(200, 'GET', path);
      for (const [method, route, body] of all(draft, kept)) {
        expect(await other.must(403, method, route, body)).toEqual({ detail: 'Snapshot feature is not enabled' });
      }
    } finally {
      await without.close();
    }
  });

  const open = (id: string, type: TaskType, parameters: object) =>
    running.app.get(TaskLedger).open({ datasetId: id, datasetName: 'x', type, createdBy: 'x', parameters });

  /** Starts a job for a missing snapshot. */
  const startJob = (id: string, type: TaskType, job: typeof RESTORE_SNAPSHOT, parameters: object): Promise<void> =>
    running.app.get(TransactionRunner).run(async () => {
      const ledger = running.app.get(TaskLedger);
      const locked = await running.app.get(DatasetReader).lock(id);
      const task = await open(id, type, { ...parameters, snapshotId: randomUUID() });
      if (type === 'SNAPSHOT_RESTORE') await running.app.get(DatasetStates).change(locked, 'restore-started');
      await ledger.assignJob(task.id, await running.app.get(JobQueue).enqueue(job, { datasetId: id, taskId: task.id }));
    });
});
