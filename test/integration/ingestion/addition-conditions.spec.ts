import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GenerationSweep } from '../../../src/modules/ingestion/sweeps/table.sweeps';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { CarriedTags } from '../../../src/modules/versions/tags/carried-tags';
import { TagFiles, TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { formOf } from '../../support/api-client';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { startTestApp, type TestApp } from '../../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('conditions of an addition', () => {
  let running: TestApp;
  let additions: Additions;

  beforeAll(async () => {
    running = await startTestApp();
    additions = new Additions(running);
  });

  afterAll(() => running.close());

  const indexed = async (name: string, seeds: readonly number[]): Promise<string> => {
    return additions.indexed(name, await additions.writeFolder(name, seeds));
  };
  const stored = async (prefix: string): Promise<string[]> => {
    const folder = additions.place('data', 'store', prefix);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const dataset = (id: string): Promise<Record<string, unknown>> =>
    additions.api.must(200, 'GET', `/api/v1/dataset/${id}`);

  it('allow one operation at a time', async () => {
    const id = await indexed('busy', [0, 1, 2]);
    const more = await additions.writeFolder(
      'busy-more',
      Array.from({ length: 24 }, (_, at) => 100 + at),
    );
    const attempts = await Promise.allSettled([additions.addFolder(id, more), additions.addFolder(id, more, true)]);
    const refused = attempts.filter((each) => each.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as Error).message)).toEqual([
      "Operation 'add_media' is blocked while MEDIA_ADDITION task is running",
    ]);
    expect(await additions.api.must(409, 'POST', `/api/v1/dataset/${id}/reindex`)).toEqual({
      detail: "Operation 'reindex' is blocked while MEDIA_ADDITION task is running",
    });
    expect(await additions.api.must(409, 'DELETE', `/api/v1/dataset/${id}`)).toEqual({
      detail: "Operation 'delete_dataset' is blocked while MEDIA_ADDITION task is running",
    });
    await additions.api.must(409, 'POST', `/api/v1/dataset/${id}/tags`, { name: 'refused' });
    await additions.ended(id);
    if ((await additions.get(id)).status === 'READY')
      await additions.addFolder(id, await additions.writeFolder('busy-last', [12]));
    await additions.api.untilStatus(id, ['PARTIAL INDEX']);
    const answers = await Promise.all([1, 2, 3].map(() => additions.api.ask('POST', `/api/v1/dataset/${id}/reindex`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    await additions.api.untilStatus(id, ['READY']);
    expect(await additions.api.must(409, 'POST', `/api/v1/dataset/${id}/reindex`)).toEqual({
      detail: "Operation 'reindex' needs a dataset that is PARTIAL INDEX; this one is READY",
    });
  });

  it('leave no data behind if publishing fails', async () => {
    const id = await indexed('unpublished', [0, 1]);
    const { id: tag } = await additions.api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${id}/tags`, {
      name: 'a',
    });
    const [row] = await additions.rows(id);
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [row!.id] } }],
    });
    const before = await additions.get(id);
    const more = await additions.writeFolder('unpublished-more', [10]);
    await additions.sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
               AS 'BEGIN RAISE EXCEPTION ''not today''; END'`);
    await additions.sql(
      'CREATE TRIGGER refuse BEFORE UPDATE OF table_version ON dataset FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    for (const autoReindex of [false, true]) {
      await additions.addFolder(id, more, autoReindex);
      // Makes the next attempt due immediately.
      const hurry = setInterval(
        () => void additions.sql(`UPDATE job_run SET start_after = now() WHERE attempt > 0`),
        100,
      );
      expect(await additions.ended(id)).toMatchObject({ status: 'FAILED', error_message: 'not today' });
      clearInterval(hurry);
      expect(await additions.get(id)).toEqual({ ...before, progress: 100 });
    }
    await additions.sql('DROP TRIGGER refuse ON dataset');

    const now = Date.now();
    for (const sweep of [running.app.get(GenerationSweep), running.app.get(TagFileSweep)]) {
      await sweep.sweep(new Date(now));
      expect(await sweep.sweep(new Date(now + DAY_MS))).toBeGreaterThanOrEqual(1);
    }
    await running.app.get(WorkSweep).sweep(new Date(now + DAY_MS));
    expect(await stored('work')).toEqual([]);
    expect(await additions.sql('SELECT 1 FROM analyzed_chunk')).toEqual([]);
    const pointed = await additions.sql(`SELECT generation_id FROM dataset WHERE generation_id IS NOT NULL
                               UNION SELECT generation_id FROM snapshot WHERE generation_id IS NOT NULL`);
    expect(await additions.sql('SELECT id FROM generation')).toHaveLength(pointed.length);

    await additions.addFolder(id, more);
    await additions.ended(id);
    expect((await additions.rows(id)).map(({ path }) => path).sort()).toEqual(['0.jpg', '1.jpg', '10.jpg']);
  });

  it('move tags with their rows', async () => {
    const [files, carried] = [running.app.get(TagFiles), running.app.get(CarriedTags)];
    const file = await files.write(
      new Map([
        ['a', Int32Array.of(0, 2, 4)],
        ['b', Int32Array.of(1)],
        ['c', Int32Array.of(1, 3)],
      ]),
    );
    const rewritten = await carried.rewrite(file, Int32Array.of(3, -1, 0, 2, 1));
    expect(await files.read(rewritten!)).toEqual(
      new Map([
        ['a', Int32Array.of(0, 1, 3)],
        ['c', Int32Array.of(2)],
      ]),
    );
    expect(await carried.rewrite(null, new Int32Array(5))).toBeNull();
  });

  it('roll back the start of an operation together with its other changes', async () => {
    const id = await indexed('undone', [0]);
    const source = { kind: 'location', uri: additions.place('undone'), assumeRole: null } as const;
    const starting = additions.start(id, source, false, () => Promise.reject(new Error('not this time')));
    await expect(starting).rejects.toThrow('not this time');
    expect(await dataset(id)).toMatchObject({ status_new: 'READY' });
    expect(await additions.tasks(id)).toHaveLength(1);
  });

  it('exclude datasets that were never indexed, and all datasets if the feature is disabled', async () => {
    const { dataset_id: draft } = await additions.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Draft',
    );
    await expect(additions.addFolder(draft, additions.place('same'))).rejects.toThrow(
      `Dataset ${draft} has no embedding_config - index the dataset first`,
    );
    expect(await additions.api.must(409, 'POST', `/api/v1/dataset/${draft}/reindex`)).toEqual({
      detail: "Operation 'reindex' needs a dataset that is PARTIAL INDEX; this one is DRAFT",
    });
    const strict = await startTestApp({ ADD_MEDIA_ENABLED: 'false', MAX_NUM_OF_IMAGES: '3' });
    try {
      await expect(new Additions(strict).addFolder(draft, additions.place('same'))).rejects.toThrow(
        'Dataset not found',
      );
      await writePicture(join(strict.folder, 'media', 'a.jpg'), 1);
      const { api } = new Additions(strict);
      const id = await api.indexed('Strict', join(strict.folder, 'media'));
      await expect(new Additions(strict).addFolder(id, join(strict.folder, 'media'))).rejects.toThrow(
        'Add media feature is not enabled',
      );
    } finally {
      await strict.close();
    }
  });

  it('count only new media against the limit of a dataset', async () => {
    const strict = await startTestApp({ MAX_NUM_OF_IMAGES: '3' });
    try {
      const small = new Additions(strict);
      const media = join(strict.folder, 'media');
      for (const seed of [0, 1]) await writePicture(join(media, `${seed}.jpg`), seed);
      const { dataset_id: id } = await small.api.must<{ dataset_id: string }>(
        200,
        'POST',
        '/api/v1/dataset',
        formOf({ dataset_name: 'Small', bucket_path: media }),
      );
      await small.api.untilStatus(id, ['READY']);
      await writePicture(join(media, '2.jpg'), 2);
      await small.addFolder(id, media);
      await small.ended(id);
      expect((await small.get(id)).counts.images).toBe(3);
      await writePicture(join(dirname(media), 'other', '3.jpg'), 3);
      await small.addFolder(id, join(dirname(media), 'other'));
      expect(await small.ended(id)).toMatchObject({
        status: 'FAILED',
        error_message: 'Image limit exceeded: a dataset may hold 3 files (MAX_NUM_OF_IMAGES)',
      });
      expect((await small.get(id)).status).toBe('PARTIAL INDEX');
    } finally {
      await strict.close();
    }
  });
});
