import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rename, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { DEFAULT_TEXT_MODEL } from '../../../src/common/platform/config/runtime-settings.schema';
import { TextEmbeddings } from '../../../src/common/engine/models/kept-models';
import { Metrics } from '../../../src/common/platform/observability/metrics';
import { DatasetReader } from '../../../src/modules/datasets';
import { PART_WEIGHT } from '../../../src/modules/tables/analysis/file-list';
import { MediaSweep } from '../../../src/modules/ingestion/sweeps/media.sweep';
import { ApiClient, filesForm, formOf } from '../../support/api-client';
import { pictureBytes, writePicture } from '../../support/pictures';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Cluster {
  readonly cluster_id: string;
  readonly n_images: number;
  readonly n_objects: number;
  readonly labels: Record<string, number> | null;
  readonly captions: string[] | null;
  readonly previews: {
    media_id: string;
    original_uri: string;
    label?: string;
    bounding_box: unknown;
    caption: string | null;
    image_id: string;
  }[];
}

describe('ingestion', () => {
  let running: TestApp;
  let api: ApiClient;

  beforeAll(async () => {
    running = await startTestApp();
    api = new ApiClient(running.url);
  });

  afterAll(() => running.close());

  const newDraft = async (): Promise<string> =>
    (await api.must<{ dataset_id: string }>(200, 'GET', '/api/v1/ingestion/new_dataset?dataset_name=Upload'))
      .dataset_id;
  const explore = async (id: string, query: string): Promise<Cluster[]> =>
    (await api.must<{ clusters: Cluster[] }>(200, 'GET', `/api/v1/explore/${id}?${query}`)).clusters;
  const stored = async (prefix: string): Promise<string[]> =>
    (
      await readdir(join(running.folder, 'data', 'store', prefix), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
    )
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);

  const analysedFiles = async (id: string): Promise<number> => {
    const sum = 'SELECT coalesce(sum(files), 0)::int AS files FROM analyzed_chunk WHERE dataset_id = $1';
    const [found] = await running.database.dataSource.query<{ files: number }[]>(sum, [id]);
    return found!.files;
  };
  /** Runs the sweeps as if all media were old, and checks that they remove an unreferenced file. */
  const sweepMedia = async (): Promise<void> => {
    const orphan = `${'e'.repeat(64)}.webp`;
    await mkdir(join(running.folder, 'data', 'store', 'thumbs', 'ee'), { recursive: true });
    await writeFile(join(running.folder, 'data', 'store', 'thumbs', 'ee', orphan), 'bytes');
    await waitUntil(async () => {
      await running.app.get(MediaSweep).sweep(new Date(Date.now() + 3 * DAY_MS));
      return !(await stored('thumbs')).includes(orphan);
    });
  };
  const indexedFiles = async (): Promise<number> =>
    (await running.app.get(Metrics).indexedFiles.get()).values.reduce((sum, { value }) => sum + value, 0);

  it('removes rows that a killed process left in its folder', async () => {
    const { pid } = spawnSync('true');
    const spool = join(running.folder, 'data', 'spool');
    const left = join(spool, `${encodeURIComponent(hostname())}~${pid}~rows`);
    await mkdir(left, { recursive: true });
    await writeFile(join(left, '0'), 'rows');
    await writePicture(join(running.folder, 'spooled', '1.jpg'), 1);
    await api.untilStatus(await api.createFromFolder('Spooled', join(running.folder, 'spooled')), ['READY']);
    expect(await readdir(spool)).toEqual([]);
  });

  it('accepts an upload in four steps, with annotations and sub-paths', async () => {
    const id = await newDraft();
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      status_new: 'DRAFT',
      source_type: 'UPLOAD',
    });
    const files = await Promise.all(
      Array.from({ length: 8 }, async (_, seed) => ({ name: `sub/${seed}.jpg`, bytes: await pictureBytes(seed) })),
    );
    const annotations = 'filename,label,caption\nsub/0.jpg,"[""ball"",""sky""]",a round ball\nsub/1.jpg,ball,\n';
    const objects = 'filename,col_x,row_y,width,height,label\nsub/2.jpg,20,10,60,50,disc\n';
    const transaction = await api.upload(id, [
      ...files,
      { name: 'image_annotations.csv', bytes: Buffer.from(annotations) },
      { name: 'object_annotations.csv', bytes: Buffer.from(objects) },
    ]);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 8, n_objects: 1, progress: 100 });

    const balls = await explore(id, 'entity_type=IMAGES&threshold=4&labels=[ball]');
    expect(balls.flatMap((cluster) => cluster.previews.map((preview) => preview.original_uri)).sort()).toEqual([
      'sub/0.jpg',
      'sub/1.jpg',
    ]);
    expect(balls.reduce((sum, cluster) => sum + cluster.n_images, 0)).toBe(2);
    expect(
      balls.flatMap((cluster) => cluster.previews).find((preview) => preview.original_uri === 'sub/0.jpg')?.caption,
    ).toBe('a round ball');
    const [object] = (await explore(id, 'entity_type=OBJECTS')).flatMap((cluster) => cluster.previews);
    expect(object).toMatchObject({
      original_uri: 'sub/2.jpg',
      label: 'disc',
      bounding_box: { x: 0.125, width: 0.375 },
    });
    expect(object!.image_id).not.toBe(object!.media_id);
  });

  it('makes captions searchable by words and by similarity', async () => {
    const id = await newDraft();
    const transaction = await api.upload(id, [
      { name: '0.jpg', bytes: await pictureBytes(70) },
      { name: '1.jpg', bytes: await pictureBytes(71) },
      { name: 'image_annotations.csv', bytes: Buffer.from('filename,label,caption\n0.jpg,ball,a round ball\n') },
    ]);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    await api.untilStatus(id, ['READY']);
    const { pointer } = await running.app.get(DatasetReader).get(id);
    expect(pointer?.textModelId).toBe(DEFAULT_TEXT_MODEL);
    const table = await running.app.get(MediaTableStore).open(pointer!);
    const rows = await table.takeRows([0, 1], ['caption', 'captionEmbedding']);
    const [expected] = await running.app.get(TextEmbeddings).embed(DEFAULT_TEXT_MODEL, ['a round ball']);
    const described = rows.findIndex(({ caption }) => caption !== null);
    expect(rows[described]).toEqual({ caption: 'a round ball', captionEmbedding: expected });
    expect(rows[1 - described]).toEqual({ caption: null, captionEmbedding: null });
    expect([...(await table.keywordHits({ kind: 'word', word: 'balls' })).rows.toArray()]).toEqual([described]);
  });

  it('keeps no file of a request that is refused midway', async () => {
    const id = await newDraft();
    const { trans_id: transaction } = await api.must<{ trans_id: number }>(
      200,
      'GET',
      `/api/v1/ingestion/${id}/data_files`,
    );
    const form = filesForm([
      { name: 'good.jpg', bytes: await pictureBytes(50) },
      { name: 'bad.exe', bytes: Buffer.from('MZ') },
    ]);
    await api.must(400, 'POST', `/api/v1/ingestion/${id}/data_files/${transaction}`, form);
    await waitUntil(async () => (await stored('staging')).length === 0);
    await api.must(400, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
  });

  it('keeps the last of two uploads to the same path, and stores equal bytes once', async () => {
    const id = await newDraft();
    const first = await pictureBytes(60);
    const second = await pictureBytes(61);
    const transaction = await api.upload(id, [{ name: 'a.jpg', bytes: first }]);
    const more = filesForm([
      { name: 'a.jpg', bytes: second },
      { name: 'b.jpg', bytes: second },
    ]);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/data_files/${transaction}`, more);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 2 });
    const clusters = await explore(id, 'entity_type=IMAGES&threshold=0');
    expect(clusters).toHaveLength(1);
    expect(clusters[0]!.previews.map((preview) => preview.original_uri).sort()).toEqual(['a.jpg', 'b.jpg']);
  });

  it('warns of a malformed annotation file and continues', async () => {
    const id = await newDraft();
    const transaction = await api.upload(id, [
      { name: 'a.jpg', bytes: await pictureBytes(70) },
      { name: 'annotations.json', bytes: Buffer.from('{"images": [') },
    ]);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    await api.untilStatus(id, ['READY']);
    const { tasks } = await api.must<{ tasks: { warnings: string[] }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    expect(tasks[0]!.warnings).toEqual([expect.stringContaining('annotations.json')]);
  });

  it('ends in ERROR if no file is readable, and in READY after a retry with repaired files', async () => {
    const folder = join(running.folder, 'broken');
    await writePicture(join(folder, 'a.jpg'), 80);
    await writeFile(join(folder, 'a.jpg'), 'not a picture');
    const id = await api.createFromFolder('Broken', folder);
    await expect(api.untilStatus(id, ['READY'])).rejects.toThrow('None of the 1 files could be read');
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      status_new: 'ERROR',
      fatal_error_msg: expect.stringContaining('None of the 1 files') as string,
    });
    await writePicture(join(folder, 'mended.jpg'), 80);
    await rename(join(folder, 'mended.jpg'), join(folder, 'a.jpg'));
    const tasksOf = async (): Promise<{ task_id: string }[]> =>
      (await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`)).tasks;
    const tasks = await tasksOf();
    expect(tasks).toEqual([
      expect.objectContaining({
        status: 'FAILED',
        error_message: expect.stringContaining('None of') as string,
        quarantined_count: 1,
      }),
    ]);
    const retried = await api.must(200, 'POST', `/api/v1/tasks/${tasks[0]!.task_id}/retry`);
    expect(retried).toMatchObject({
      task_id: tasks[0]!.task_id,
      status: 'INITIALIZING',
      dataset_status: 'INDEXING',
      quarantined_count: 0,
    });
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 1, fatal_error_msg: null });
    expect(await tasksOf()).toEqual([expect.objectContaining({ status: 'COMPLETED', quarantined_count: 0 })]);
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}/quarantine`)).toMatchObject({ total: 0 });
  });

  it('enqueues few parts of a long list at a time, so that other tasks are not delayed', async () => {
    const folder = join(running.folder, 'long-list');
    await mkdir(folder);
    // Eight videos form a part.
    for (let at = 0; at < 320; at += 1) await writeFile(join(folder, `${at}.mp4`), 'no video');
    const id = await api.createFromFolder('Long list', folder);
    const numbers: number[] = [];
    await waitUntil(async () => {
      const [{ waiting } = { waiting: 0 }] = await running.database.dataSource.query<{ waiting: number }[]>(
        "SELECT count(*)::int AS waiting FROM job_run WHERE type = 'analyze-part' AND state = 'queued'",
      );
      numbers.push(waiting);
      return (await api.must<{ status_new: string }>(200, 'GET', `/api/v1/dataset/${id}`)).status_new === 'ERROR';
    });
    expect(Math.max(...numbers)).toBeLessThanOrEqual(3);
  });

  it('can be aborted, becomes a draft, and continues when retried', async () => {
    await sweepMedia();
    const folder = join(running.folder, 'many');
    for (let seed = 0; seed < 150; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    const id = await api.createFromFolder('Many', folder);
    const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    const task = `/api/v1/tasks/${tasks[0]!.task_id}`;
    await waitUntil(async () => (await analysedFiles(id)) === 150);
    expect(await api.must(200, 'POST', `${task}/abort`)).toMatchObject({ status: 'ABORTED', dataset_status: 'DRAFT' });
    await api.must(409, 'POST', `${task}/abort`);
    expect(await explore(id, 'entity_type=IMAGES')).toEqual([]);
    await writePicture(join(folder, '99.jpg'), 200);
    const thumbnails = await stored('thumbs');
    // The first sweep reads the chunks, the second one the results of the first.
    await sweepMedia();
    await sweepMedia();
    expect((await stored('thumbs')).sort()).toEqual(thumbnails.sort());
    const before = await indexedFiles();
    expect(await api.must(200, 'POST', `${task}/retry`)).toMatchObject({
      status: 'INITIALIZING',
      dataset_status: 'INDEXING',
    });
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 150 });
    // Counts the files of the part with the changed picture.
    expect([PART_WEIGHT, 150 - PART_WEIGHT]).toContain((await indexedFiles()) - before);
  });

  it('analyses files again whose results were damaged in the store before the retry', async () => {
    const folder = join(running.folder, 'damaged');
    for (let seed = 0; seed < 3; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    const id = await api.createFromFolder('Damaged', folder);
    await waitUntil(async () => (await analysedFiles(id)) === 3);
    const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    const task = tasks[0]!.task_id;
    await api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
    const work = join(running.folder, 'data', 'store', 'work', task);
    const chunks = (await readdir(work)).filter((name) => name.endsWith('.arrow'));
    for (const name of chunks) await truncate(join(work, name), 1000);
    const before = await indexedFiles();
    await api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 3 });
    expect([chunks.length, (await indexedFiles()) - before]).toEqual([1, 3]);
  });

  it('refuses to delete a dataset while a task runs, and deletes it afterwards', async () => {
    const folder = join(running.folder, 'doomed');
    for (let seed = 0; seed < 60; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
    const id = await api.createFromFolder('Doomed', folder);
    expect(await api.ask('DELETE', `/api/v1/dataset/${id}`)).toMatchObject({
      status: 409,
      body: { detail: "Operation 'delete_dataset' is blocked while DATASET_CREATION task is running" },
    });
    await api.untilStatus(id, ['READY']);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    await api.must(404, 'GET', `/api/v1/dataset/${id}`);
    await api.must(404, 'DELETE', `/api/v1/dataset/${id}`);
  });

  it('indexes a single file', async () => {
    const folder = join(running.folder, 'one');
    await writePicture(join(folder, 'only.jpg'), 5);
    const id = await api.indexed('One', folder);
    for (const threshold of [0, 1, 2, 3, 4])
      expect(await explore(id, `threshold=${threshold}`)).toEqual([expect.objectContaining({ n_images: 1 })]);
  });

  it('returns 413 for a file over the limit, and 403 if deletion is disabled', async () => {
    const strict = await startTestApp({
      MAX_UPLOAD_BYTES: '1000',
      DELETE_DATASET_ENABLED: 'false',
      MAX_FILES_PER_UPLOAD: '1',
    });
    try {
      const client = new ApiClient(strict.url);
      const { dataset_id: id } = await client.must<{ dataset_id: string }>(
        200,
        'GET',
        '/api/v1/ingestion/new_dataset?dataset_name=x',
      );
      const { trans_id: transaction } = await client.must<{ trans_id: number }>(
        200,
        'GET',
        `/api/v1/ingestion/${id}/data_files`,
      );
      const url = `/api/v1/ingestion/${id}/data_files/${transaction}`;
      await client.must(413, 'POST', url, filesForm([{ name: 'a.jpg', bytes: Buffer.alloc(5000) }]));
      const two = ['a.jpg', 'b.jpg'].map((name) => ({ name, bytes: Buffer.alloc(10) }));
      await client.must(413, 'POST', url, filesForm(two));
      await client.must(400, 'POST', '/api/v1/dataset', formOf({ dataset_name: '' }));
      await client.must(403, 'DELETE', `/api/v1/dataset/${id}`);
    } finally {
      await strict.close();
    }
  });
});
