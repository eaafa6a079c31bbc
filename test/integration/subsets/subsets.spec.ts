import { copyFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { GenerationSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { MediaSweep } from '../../../src/modules/ingestion/sweeps/media.sweep';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { CopyMediaUseCase, type CopyRequest, RemoveMediaUseCase } from '../../../src/modules/subsets/subset.use-cases';
import { localAdmin } from '../../../src/modules/workspaces';
import { Additions, type UpdateTask } from '../../support/additions';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

interface Started {
  readonly dataset_id: string;
  readonly task_id: string;
  readonly snapshot_id: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** 5.jpg has a copy. */
const SEEDS = [0, 1, 2, 3, 4, 5];
const OBJECTS =
  'filename,col_x,row_y,width,height,label\n1.jpg,10,10,40,40,ball\n1.jpg,60,60,40,40,cat\n2.jpg,10,10,40,40,ball\n';
const CAPTIONS = 'filename,label,caption\n1.jpg,boat,A small boat\n2.jpg,car,A car\n';
const FIELDS = { annotations: [{ file_name: '1.jpg', metadata: [{ field_name: 'site', value: 'north' }] }] };

describe('a subset of the media', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let client: SnapshotClient;
  let folders = 0;

  beforeAll(() => {
    client = new SnapshotClient(additions.api);
  });

  const pathOf = (id: string, rest: string): string => `/api/v1/dataset/${id}/${rest}`;
  const media = (...ids: string[]) => ({ media_selection: [{ type: 'media', payload: { media_ids: ids } }] });
  const makeFolder = async (): Promise<string> => {
    const folder = await additions.writeFolder(`media-${(folders += 1)}`, SEEDS);
    await copyFile(join(folder, '5.jpg'), join(folder, 'copy-of-5.jpg'));
    await writeFile(join(folder, 'object_annotations.csv'), OBJECTS);
    await writeFile(join(folder, 'image_annotations.csv'), CAPTIONS);
    return folder;
  };
  const indexed = async (name: string): Promise<string> => additions.indexed(name, await makeFolder());
  const byPath = async (id: string): Promise<Record<string, MediaRow>> =>
    Object.fromEntries((await additions.rows(id)).filter(({ kind }) => kind === 'IMAGE').map((row) => [row.path, row]));
  const names = async (id: string): Promise<string[]> => Object.keys(await byPath(id)).sort();
  const objects = async (id: string): Promise<string[]> =>
    (await additions.rows(id))
      .filter(({ kind }) => kind === 'OBJECT')
      .flatMap(({ labels }) => labels)
      .sort();
  const copied = async (id: string, body: object): Promise<string> => {
    const { dataset_id: copy, task_id: task } = await additions.api.must<Started>(
      202,
      'POST',
      pathOf(id, 'copy'),
      body,
    );
    await additions.api.untilStatus(copy, ['READY']);
    expect((await additions.tasks(id))[0]).toMatchObject({
      task_id: task,
      task_type: 'DATASET_COPY',
      status: 'COMPLETED',
    });
    return copy;
  };
  const removed = async (id: string, body: object): Promise<Started> => {
    const started = await additions.api.must<Started>(202, 'POST', pathOf(id, 'remove_media'), body);
    const task = await additions.ended(id);
    expect(task).toMatchObject({ task_id: started.task_id, task_type: 'MEDIA_REMOVAL', status: 'COMPLETED' });
    return started;
  };
  const synced = async (id: string): Promise<UpdateTask> => {
    await additions.api.must(202, 'POST', pathOf(id, 'sync'));
    return additions.ended(id);
  };
  const copyOf = (mediaId: string): CopyRequest => ({
    chosen: { selection: [{ kind: 'media', mediaIds: [mediaId] }], decided: false },
    keeping: 'chosen',
    withViews: false,
  });
  /** Prevents the job from starting meanwhile. */
  const heldBack = <T>(start: () => Promise<T>): Promise<T> =>
    running.app.get(TransactionRunner).run(async (manager) => {
      const started = await start();
      await manager.query("UPDATE job_run SET start_after = now() + interval '1 day' WHERE state = 'queued'");
      return started;
    });
  const copiesAmong = async (id: string): Promise<string[]> => {
    const query = 'threshold=0&duplicate_threshold=1';
    const { clusters } = await additions.api.must<{ clusters: { previews: { original_uri: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?${query}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ original_uri: uri }) => uri)).sort();
  };
  const sweepAll = async (): Promise<void> => {
    const later = (days: number) => new Date(Date.now() + days * DAY_MS);
    for (const Sweep of [GenerationSweep, TagFileSweep, WorkSweep, MediaSweep])
      for (const days of [2, 4]) await running.app.get(Sweep, { strict: false }).sweep(later(days));
  };

  it('becomes a new dataset with all its data', async () => {
    const id = await indexed('Source');
    await additions.api.must(202, 'POST', pathOf(id, 'annotations'), FIELDS);
    await additions.ended(id);
    const rows = await byPath(id);
    const [one, five, copy] = [rows['1.jpg']!, rows['5.jpg']!, rows['copy-of-5.jpg']!];
    const tag = await client.makeTag(id, 'kept');
    await client.assign(id, tag, 'assign', [one.id, rows['3.jpg']!.id]);
    const words = { display_name: 'Few', description: 'Three of them' };
    const made = await copied(id, { ...media(one.id, five.id, copy.id), ...words });
    const dataset = await additions.api.must(200, 'GET', pathOf(made, ''));
    const counts = { n_images: 3, n_videos: 0, n_objects: 2 };
    expect(dataset).toMatchObject({ ...words, ...counts, source_dataset_id: id, progress: 100, status_new: 'READY' });
    expect(await byPath(made)).toEqual({ '1.jpg': one, '5.jpg': five, 'copy-of-5.jpg': copy });
    expect(await objects(made)).toEqual(['ball', 'cat']);
    expect(await copiesAmong(made)).toEqual(['5.jpg', 'copy-of-5.jpg']);
    expect(await client.tags(made)).toEqual([{ id: tag.id, name: 'kept', n_items: 1 }]);
    expect(await client.taggedWith(made, tag)).toEqual([one.id]);
    const schema = `/api/v1/datasets/${made}/custom_metadata/schema`;
    expect(await additions.api.must(200, 'GET', schema)).toMatchObject([{ field_name: 'site' }]);
    expect(await client.tags(id)).toEqual([{ id: tag.id, name: 'kept', n_items: 2 }]);
    expect(await additions.get(id)).toMatchObject({ status: 'READY', counts: { images: 7, objects: 3 } });
  });

  it('becomes a new dataset by a search, a cluster or the decisions about duplicates', async () => {
    const id = await indexed('Cleaned');
    const rows = await byPath(id);
    const keep = 'others';
    const search = { vql: [{ labels: { op: 'one_of', value: ['boat', 'car'] } }] };
    const unlabelled = ['0.jpg', '3.jpg', '4.jpg', '5.jpg', 'copy-of-5.jpg'];
    expect(await names(await copied(id, { keep, search }))).toEqual(unlabelled);
    const decision = { keep: [rows['5.jpg']!.id], remove: [rows['copy-of-5.jpg']!.id] };
    await additions.api.must(200, 'POST', pathOf(id, 'duplicates/decisions'), { decisions: [decision] });
    const cleaned = await copied(id, { keep, decided_duplicates: true, ...media(rows['0.jpg']!.id) });
    expect(await names(cleaned)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg']);
    expect(await additions.get(cleaned)).toMatchObject({ displayName: 'Cleaned (copy)' });
    const decisions = await additions.api.must(200, 'GET', pathOf(cleaned, 'duplicates/decisions'));
    expect(decisions).toMatchObject({ total: 1, decisions: [{ n_removed: 1 }] });
  });

  it('includes the picture of an object in a copy, and removes an object without its picture', async () => {
    const id = await indexed('Parts');
    const all = await additions.rows(id);
    const cat = all.find(({ kind, labels }) => kind === 'OBJECT' && labels.includes('cat'))!;
    const ofCat = await copied(id, media(cat.id));
    expect([await names(ofCat), await objects(ofCat)]).toEqual([['1.jpg'], ['cat']]);
    await removed(id, media(cat.id));
    expect([await names(id), await objects(id)]).toEqual([await names(id), ['ball', 'ball']]);
    expect(await additions.get(id)).toMatchObject({ counts: { images: 7, objects: 2 } });
  });

  it('is removed, can be restored from the snapshot, and is ignored by a sync until it changes', async () => {
    const id = await indexed('Removed');
    const folder = additions.place(`media-${folders}`);
    const rows = await byPath(id);
    const tag = await client.makeTag(id, 'kept');
    await client.assign(id, tag, 'assign', [rows['1.jpg']!.id, rows['3.jpg']!.id]);
    const { snapshot_id: before } = await removed(id, media(rows['1.jpg']!.id, rows['2.jpg']!.id, rows['5.jpg']!.id));
    const rest = ['0.jpg', '3.jpg', '4.jpg', 'copy-of-5.jpg'];
    expect(await names(id)).toEqual(rest);
    expect(await objects(id)).toEqual([]);
    expect(await copiesAmong(id)).toEqual([]);
    expect(await client.taggedWith(id, tag)).toEqual([rows['3.jpg']!.id]);
    expect(await client.list(id)).toContainEqual(
      expect.objectContaining({
        snapshot_id: before,
        reason: 'removal',
        description: 'Before the removal of 3 media',
        n_images: 7,
      }),
    );
    const leftOut = /^3 files were removed from the dataset and are left out\. /;
    expect(await synced(id)).toMatchObject({ status: 'COMPLETED', warnings: [expect.stringMatching(leftOut)] });
    expect(await names(id)).toEqual(rest);
    await utimes(join(folder, '2.jpg'), new Date(), new Date(0));
    await synced(id);
    expect(await names(id)).toEqual(['0.jpg', '2.jpg', ...rest.slice(1)]);
    await client.restore(id, before);
    expect(await byPath(id)).toEqual(rows);
    expect(await client.taggedWith(id, tag)).toEqual([rows['1.jpg']!.id, rows['3.jpg']!.id].sort());
  });

  it('is unchanged if the task is aborted; a removal can be retried then, a copy cannot', async () => {
    const id = await indexed('Aborted');
    const rows = await byPath(id);
    const act = (task: string, verb: string, status: number): Promise<unknown> =>
      additions.api.must(status, 'POST', `/api/v1/tasks/${task}/${verb}`);
    const held = await heldBack(() =>
      running.app.get(CopyMediaUseCase).start(id, copyOf(rows['0.jpg']!.id), localAdmin()),
    );
    await additions.api.must(409, 'DELETE', pathOf(held.result, '').slice(0, -1));
    expect(await client.dataset(held.result)).toMatchObject({ status_new: 'INDEXING', n_images: 0 });
    expect(await client.mediaIds(held.result)).toEqual([]);
    await act(held.taskId, 'abort', 200);
    await additions.api.must(404, 'GET', pathOf(held.result, '').slice(0, -1));
    await act(held.taskId, 'retry', 400);
    const removal = await heldBack(() =>
      running.app.get(RemoveMediaUseCase).start(id, copyOf(rows['0.jpg']!.id).chosen, localAdmin()),
    );
    expect((await client.dataset(id)).status_new).toBe('READ ONLY');
    await act(removal.taskId, 'abort', 200);
    expect(await names(id)).toEqual(Object.keys(rows).sort());
    expect(await additions.get(id)).toMatchObject({ status: 'READY', progress: 100 });
    await running.app.get(WorkSweep).sweep(new Date(Date.now() + 4 * DAY_MS));
    await act(removal.taskId, 'retry', 200);
    expect(await additions.ended(id)).toMatchObject({ task_id: removal.taskId, status: 'COMPLETED' });
    expect(await names(id)).toEqual(Object.keys(rows).sort().slice(1));
  });

  it('is not in copies and clones after its removal', async () => {
    const id = await indexed('Cloned');
    const rows = await byPath(id);
    const cleaned = await copied(id, { keep: 'others', ...media(rows['0.jpg']!.id, rows['1.jpg']!.id) });
    await client.keep(cleaned, 'kept');
    const clone = await client.clone(cleaned, (await client.list(cleaned))[0]!.snapshot_id);
    const rest = ['2.jpg', '3.jpg', '4.jpg', '5.jpg', 'copy-of-5.jpg'];
    for (const each of [cleaned, clone.id]) {
      await synced(each);
      expect(await names(each)).toEqual(rest);
    }
  });

  it('keeps its files when the original dataset is deleted', async () => {
    const { dataset_id: id } = await additions.api.must<Started>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Uploaded',
    );
    const transaction = await additions.api.upload(
      id,
      await Promise.all([20, 21, 22].map(async (seed) => ({ name: `${seed}.jpg`, bytes: await pictureBytes(seed) }))),
    );
    await additions.api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    await additions.api.untilStatus(id, ['READY']);
    const rows = await byPath(id);
    const made = await copied(id, media(rows['20.jpg']!.id, rows['21.jpg']!.id));
    await additions.api.must(204, 'DELETE', pathOf(id, '').slice(0, -1));
    await sweepAll();
    const previews = await client.previews(made);
    expect(previews).toHaveLength(2);
    for (const { media_uri: uri, media_thumb_uri: thumb } of previews)
      for (const each of [uri, thumb]) expect((await fetch(new URL(each, running.url))).status).toBe(200);
    const keys = await additions.stored('blobs/');
    expect(keys).toHaveLength(2);
  });
});
