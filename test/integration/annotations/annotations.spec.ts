import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { withHeldJobs } from '../../support/at-once';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

interface Task {
  readonly task_id: string;
  readonly task_type: string;
  readonly status: string;
  readonly warnings: readonly string[];
}

describe('annotating existing media', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;

  beforeAll(async () => {
    source = await additions.writeFolder('Annotated', [0, 1, 2]);
  });

  const annotate = async (id: string, body: object): Promise<Task> => {
    const path = `/api/v1/dataset/${id}/annotations`;
    const { task_id: taskId } = await additions.api.must<{ task_id: string }>(202, 'POST', path, body);
    await additions.api.untilStatus(id, ['READY']);
    const { tasks } = await additions.api.must<{ tasks: Task[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    return tasks.find((task) => task.task_id === taskId)!;
  };
  const shown = async (id: string) =>
    Object.fromEntries(
      (await additions.rows(id)).map(({ fileName, labels, caption, captionEmbedding }) => [
        fileName,
        { labels, caption, hasVector: captionEmbedding !== null },
      ]),
    );
  const labelled = async (id: string, label: string): Promise<number> => {
    const { labels } = await additions.api.must<{ labels: { value: string; count: number }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/facets`,
    );
    return labels.find(({ value }) => value === label)?.count ?? 0;
  };

  it('adds and replaces labels and captions, by id and by name, in one change', async () => {
    const id = await additions.indexed('Annotated', source);
    const media = new Map((await additions.rows(id)).map((row) => [row.fileName, row.id]));
    const clusters = (await additions.rows(id)).map((row) => [row.id, row.clusters]);
    expect(
      await annotate(id, {
        annotations: [
          { media_id: media.get('0.jpg'), labels: ['cat', 'pet'], caption: 'a cat on a sofa' },
          { file_name: './1.jpg', labels: ['dog'] },
          { file_name: '1.jpg', labels: ['pet'] },
          { file_name: 'gone.jpg', labels: ['ghost'] },
        ],
      }),
    ).toMatchObject({
      task_type: 'ANNOTATION',
      status: 'COMPLETED',
      warnings: ['1 of 4 annotations match no medium of the dataset: gone.jpg.'],
    });
    expect(await shown(id)).toEqual({
      '0.jpg': { labels: ['cat', 'pet'], caption: 'a cat on a sofa', hasVector: true },
      '1.jpg': { labels: ['dog', 'pet'], caption: null, hasVector: false },
      '2.jpg': { labels: [], caption: null, hasVector: false },
    });
    expect((await additions.rows(id)).map((row) => [row.id, row.clusters])).toEqual(clusters);
    expect(await labelled(id, 'pet')).toBe(2);

    await annotate(id, {
      mode: 'replace',
      annotations: [{ file_name: '0.jpg', labels: ['tiger'], caption: null }],
    });
    expect((await shown(id))['0.jpg']).toEqual({ labels: ['tiger'], caption: null, hasVector: false });
    expect((await shown(id))['1.jpg']!.labels).toEqual(['dog', 'pet']);
  });

  it('publishes nothing if no media match', async () => {
    const id = await additions.indexed('Unmatched', source);
    const { pointer } = await additions.get(id);
    expect(await annotate(id, { annotations: [{ file_name: 'gone.jpg', labels: ['ghost'] }] })).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 of 1 annotations match no medium of the dataset: gone.jpg.'],
    });
    expect((await additions.get(id)).pointer).toEqual(pointer);
    expect(await additions.sql('SELECT id FROM generation WHERE owner_dataset_id = $1', [id])).toHaveLength(1);
  });

  it('sets custom fields with one type each, which details and exports show', async () => {
    const id = await additions.indexed('Fields', source);
    const media = (await additions.rows(id)).find(({ fileName }) => fileName === '0.jpg')!.id;
    const shownFields = async (): Promise<unknown> =>
      (await additions.api.must<{ custom_metadata: unknown }>(200, 'GET', `/api/v1/dataset/${id}/media/${media}`))
        .custom_metadata;
    const give = (mode: string, metadata: readonly object[]): Promise<Task> =>
      annotate(id, { mode, annotations: [{ file_name: '0.jpg', metadata }] });
    expect(await shownFields()).toEqual([]);
    await give('add', [
      { field_name: 'site', value: 'Caf\u00e9' },
      { field_name: 'depth', value: 1.5 },
      { field_name: 'checked', value: false },
      { field_name: 'taken', field_type: 'datetime', value: '2026-01-31T13:00:00+01:00' },
    ]);
    const taken = { field_name: 'taken', field_type: 'datetime', value: '2026-01-31T12:00:00.000Z' };
    expect(await shownFields()).toEqual([
      { field_name: 'checked', field_type: 'boolean', value: false },
      { field_name: 'depth', field_type: 'float', value: 1.5 },
      { field_name: 'site', field_type: 'string', value: 'Caf\u00e9' },
      taken,
    ]);
    await give('add', [
      { field_name: 'site', value: null },
      { field_name: 'depth', value: -2 },
    ]);
    const changed = { field_name: 'depth', field_type: 'float', value: -2 };
    expect(await shownFields()).toEqual([
      { field_name: 'checked', field_type: 'boolean', value: false },
      changed,
      taken,
    ]);
    expect(await give('add', [{ field_name: 'depth', value: 'deep' }])).toMatchObject({
      status: 'FAILED',
      error_message: 'The field "depth" has the type float; "deep" is not a finite number.',
    });
    await give('replace', [{ field_name: 'depth', value: -2 }]);
    expect(await shownFields()).toEqual([changed]);
    const exports = new ExportClient(additions.api);
    const archive = await exports.archive(id, await exports.start(id, 'export_format=json'));
    const { media_items: items } = JSON.parse(archive.get('metadata.json')!.toString()) as {
      media_items: readonly { file_name: string; metadata_items: readonly unknown[] }[];
    };
    const item = items.find(({ file_name: name }) => name === '0.jpg')!;
    expect(item.metadata_items).toContainEqual({ type: 'custom_metadata', properties: changed });
  });

  it('can be aborted without changing the dataset, and retried', async () => {
    const id = await additions.indexed('Aborted', source);
    const path = `/api/v1/dataset/${id}/annotations`;
    const body = { annotations: [{ file_name: '0.jpg', labels: ['late'] }] };
    const task = await withHeldJobs(running, async () => {
      const { task_id: taskId } = await additions.api.must<{ task_id: string }>(202, 'POST', path, body);
      expect(await additions.api.must(200, 'POST', `/api/v1/tasks/${taskId}/abort`)).toMatchObject({
        status: 'ABORTED',
        dataset_status: 'READY',
      });
      return `/api/v1/tasks/${taskId}`;
    });
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      status_new: 'READY',
      progress: 100,
    });
    expect(await labelled(id, 'late')).toBe(0);
    expect(await additions.api.must(200, 'POST', `${task}/retry`)).toMatchObject({ dataset_status: 'READ_ONLY' });
    await additions.api.untilStatus(id, ['READY']);
    expect(await labelled(id, 'late')).toBe(1);
    await additions.api.must(400, 'POST', `${task}/retry`);
  });

  it('cannot be retried once the dataset has changed', async () => {
    const id = await additions.indexed('Changed', source);
    const path = `/api/v1/dataset/${id}/annotations`;
    const given = (label: string): object => ({ annotations: [{ file_name: '0.jpg', labels: [label] }] });
    const aborted = await withHeldJobs(running, async () => {
      const { task_id: taskId } = await additions.api.must<{ task_id: string }>(202, 'POST', path, given('old'));
      await additions.api.must(200, 'POST', `/api/v1/tasks/${taskId}/abort`);
      return taskId;
    });
    await annotate(id, given('new'));
    await additions.api.must(200, 'POST', `/api/v1/tasks/${aborted}/retry`);
    await additions.api.untilStatus(id, ['READY']);
    const tasks = await additions.tasks(id);
    expect(tasks.find((task) => task.task_id === aborted)).toMatchObject({
      status: 'FAILED',
      error_message: 'The dataset has been changed since these annotations were sent. Send them again.',
    });
    expect(await labelled(id, 'new')).toBe(1);
  });

  it('is undone by restoring a snapshot, and leaves nothing in the store', async () => {
    const id = await additions.indexed('Undone', source);
    const { task_id: task } = await annotate(id, { annotations: [{ file_name: '0.jpg', labels: ['wrong'] }] });
    const snapshots = await additions.api.must<{ snapshot_id: string }[]>(200, 'GET', `/api/v1/dataset/${id}/snapshot`);
    const first = snapshots.at(-1)!;
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/snapshot/${first.snapshot_id}/restore`);
    await additions.api.untilStatus(id, ['READY']);
    expect((await shown(id))['0.jpg']!.labels).toEqual([]);
    const store = running.app.get<ObjectStore>(OBJECT_STORE);
    await waitUntil(async () => (await store.list(`work/${task}/`)).objects.length === 0);
  });
});
