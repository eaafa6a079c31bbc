import { ImportSourceStep } from '../../../src/modules/annotations/jobs/import-source.step';
import { PlaceImportStep } from '../../../src/modules/annotations/jobs/place-import.step';
import { DatasetReader } from '../../../src/modules/datasets';
import { SourceAnnotations } from '../../../src/modules/versions';
import { Additions, type UpdateTask } from '../../support/additions';
import { SnapshotClient } from '../../support/snapshot-client';
import { editionOf, type ListedAnnotation } from '../../support/source-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const coco = (entries: readonly (readonly [id: string, image: number, label: string])[]): string => {
  const names = [...new Set(entries.map(([, , label]) => label))];
  return JSON.stringify({
    images: [0, 1, 2].map((id) => ({ id, file_name: `${id}.jpg` })),
    categories: names.map((name, id) => ({ id, name })),
    annotations: entries.map(([id, image, label]) => ({ id, image_id: image, category_id: names.indexOf(label) })),
  });
};

describe('an import into a source', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let client: SnapshotClient;
  let id: string;
  let spy: jest.SpyInstance | undefined;

  beforeAll(async () => {
    client = new SnapshotClient(additions.api);
    id = await additions.indexed('Imported into', await additions.writeFolder('Pictures', [0, 1, 2]));
  });

  const path = (rest: string): string => `/api/v1/dataset/${id}/${rest}`;
  const begin = async (source: string, mode: string, text: string): Promise<string> => {
    const form = new FormData();
    form.set('source', source);
    form.set('mode', mode);
    form.append('files', new Blob([text]), 'instances.json');
    return (await additions.api.must<{ task_id: string }>(202, 'POST', path('annotations/files'), form)).task_id;
  };
  const ended = (task: string): Promise<UpdateTask> => additions.ended(id, task);
  /** Waits with the files read and not published, while `work` runs. */
  const whileRead = (work: () => Promise<unknown>): jest.SpyInstance => {
    const step = running.app.get(ImportSourceStep);
    spy?.mockRestore();
    const run = step.run.bind(step);
    spy = jest.spyOn(step, 'run').mockImplementationOnce(async (...given) => {
      const read = await run(...given);
      await work();
      return read;
    });
    return spy;
  };
  const edit = (source: string, mode: string, annotations: readonly object[]): Promise<unknown> =>
    additions.api.must(200, 'POST', path('annotations'), { source, mode, annotations });
  const said = async (source: string): Promise<string[]> => {
    const query = path(`annotations?source=${source}&limit=1000`);
    const { annotations } = await additions.api.must<{ annotations: ListedAnnotation[] }>(200, 'GET', query);
    return annotations.map((each) => `${each.file_path} ${each.id} ${each.label} ${editionOf(each)}`).sort();
  };
  const countOf = async (source: string): Promise<number> => {
    const listed = await additions.api.must<{ sources: { name: string; n_labels: number }[] }>(
      200,
      'GET',
      path('annotation_sources'),
    );
    return listed.sources.find(({ name }) => name === source)!.n_labels;
  };

  it('leaves the dataset READY for edits, searches, snapshots and other imports, and keeps its media', async () => {
    const answers: unknown[] = [];
    whileRead(async () => {
      const { api } = additions;
      const status = async (method: string, rest: string, body?: object): Promise<number> =>
        (await api.ask(method, path(rest), body)).status;
      answers.push(await api.must(200, 'GET', `/api/v1/dataset/${id}`));
      await edit('other', 'add', [{ file_name: '0.jpg', label: 'tree' }]);
      answers.push(
        await status('POST', 'snapshot'),
        (await ended(await begin('third', 'add', coco([['1', 0, 'cat']])))).status,
      );
      answers.push(
        await status('POST', 'reindex'),
        await status('POST', 'annotations', { annotations: [{ file_name: '0.jpg', labels: ['x'] }] }),
      );
    });
    expect(await ended(await begin('first', 'add', coco([['1', 0, 'cat']])))).toMatchObject({
      task_type: 'ANNOTATION_IMPORT',
      status: 'COMPLETED',
    });
    expect(answers).toEqual([expect.objectContaining({ status_new: 'READY' }), 200, 'COMPLETED', 409, 409]);
    expect([await said('first'), (await said('other')).length, await said('third')]).toEqual([
      ['0.jpg 1 cat 1'],
      1,
      ['0.jpg 1 cat 1'],
    ]);
  });

  /** If there are more, they are compared while other changes go on. */
  const atMostCompared = (mostCompared: number): void =>
    void Object.assign(running.app.get(PlaceImportStep), { mostCompared });

  it.each([1_000, 0])(
    'keeps what people change in the same source meanwhile, with %d pictures compared at once',
    async (most) => {
      atMostCompared(most);
      const source = `shared-${most}`;
      const before = [0, 1, 2].map((image) => ({ file_name: `${image}.jpg`, id: 'a', label: 'cat' }));
      await edit(source, 'add', [...before, { file_name: '1.jpg', id: 'b', label: 'dog' }]);
      const read = whileRead(async () => {
        await edit(source, 'merge', [{ file_name: '0.jpg', id: 'a', label: 'lion' }]);
        await edit(source, 'delete', [{ file_name: '1.jpg', id: 'b' }]);
        await edit(source, 'add', [{ file_name: '2.jpg', id: 'c', label: 'cow' }]);
      });
      const task = await begin(
        source,
        'merge',
        coco([
          ['a', 1, 'wolf'],
          ['new', 0, 'hen'],
          ['new', 2, 'hen'],
        ]),
      );
      expect(await ended(task)).toMatchObject({ status: 'COMPLETED', warnings: [] });
      expect(await said(source)).toEqual([
        '0.jpg a lion 2',
        '0.jpg new hen 1',
        '1.jpg a wolf 2',
        '2.jpg a cat 1',
        '2.jpg c cow 1',
        '2.jpg new hen 1',
      ]);
      expect(await countOf(source)).toBe(6);
      expect(read).toHaveBeenCalledTimes(1);
    },
  );

  it('does not start over because files are merged meanwhile, which is no difference to a snapshot', async () => {
    atMostCompared(0);
    const filesNow = async (): Promise<number> => {
      const { pointer } = await running.app.get(DatasetReader).get(id);
      const { sources } = await running.app.get(SourceAnnotations).stateOf(pointer!);
      return sources.find(({ name }) => name === 'merged')!.segments.length;
    };
    const more = async (count: number): Promise<void> => {
      await ended(await begin('merged', 'merge', coco([[`${count}`, count % 3, 'cat']])));
    };
    for (let count = 1; count <= 16; count += 1) await more(count);
    expect(await filesNow()).toBe(16);
    const { snapshot_id: snapshot } = await client.keep(id);
    const read = whileRead(async () => {
      await more(17);
      await waitUntil(async () => (await filesNow()) === 1);
    });
    expect(await ended(await begin('merged', 'merge', coco([['1', 1, 'dog']])))).toMatchObject({ status: 'COMPLETED' });
    // The other import is the second.
    expect(read).toHaveBeenCalledTimes(2);
    expect(await countOf('merged')).toBe(17);
    expect((await said('merged')).filter((each) => !each.includes(' cat 1'))).toEqual(['1.jpg 1 dog 2']);
    const { annotations } = await client.diff(id, snapshot);
    expect(annotations).toMatchObject([{ source: 'merged', added: 1, changed: 1, removed: 0 }]);
    await client.restore(id, snapshot);
    expect((await client.diff(id, snapshot)).annotations).toEqual([]);
    expect([await countOf('merged'), await filesNow()]).toEqual([16, 16]);
  });

  it.each(['add', 'delete'])('keeps what people change in pictures in which files have nothing to %s', async (mode) => {
    const source = `nothing-to-${mode}`;
    const [known, sent] = mode === 'add' ? ['a', 'a'] : ['a', 'unknown'];
    await edit(source, 'add', [{ file_name: '0.jpg', id: known, label: 'cat' }]);
    whileRead(() =>
      edit(source, 'merge', [
        { file_name: '0.jpg', id: known, label: 'lion' },
        { file_name: '0.jpg', id: 'new', label: 'hen' },
      ]),
    );
    expect(await ended(await begin(source, mode, coco([[sent, 0, 'dog']])))).toMatchObject({ status: 'COMPLETED' });
    expect(await said(source)).toEqual(['0.jpg a lion 2', '0.jpg new hen 1']);
    expect(await countOf(source)).toBe(2);
  });

  it('finds a source that people began meanwhile', async () => {
    whileRead(() => edit('begun', 'add', [{ file_name: '0.jpg', id: 'p', label: 'cat' }]));
    const task = await begin(
      'begun',
      'add',
      coco([
        ['q', 0, 'dog'],
        ['r', 1, 'cow'],
      ]),
    );
    expect(await ended(task)).toMatchObject({ status: 'COMPLETED' });
    expect(await said('begun')).toEqual(['0.jpg p cat 1', '0.jpg q dog 1', '1.jpg r cow 1']);
    expect(await countOf('begun')).toBe(3);
  });

  it.each([false, true])(
    'reads again what belongs to a source that was removed meanwhile, and begun anew: %s',
    async (isNew) => {
      const source = `gone-${isNew}`;
      await edit(source, 'add', [{ file_name: '0.jpg', id: 'p', label: 'cat' }]);
      whileRead(async () => {
        await additions.api.must(204, 'DELETE', path(`annotation_sources/${source}`));
        if (isNew) await edit(source, 'add', [{ file_name: '1.jpg', id: 'n', label: 'hen' }]);
      });
      expect(await ended(await begin(source, 'add', coco([['q', 0, 'dog']])))).toMatchObject({ status: 'COMPLETED' });
      expect(await said(source)).toEqual(['0.jpg q dog 1', ...(isNew ? ['1.jpg n hen 1'] : [])]);
    },
  );

  it('is aborted without a trace, and can be retried', async () => {
    whileRead(async () => {
      const [{ task_id: task }] = (await additions.tasks(id)) as [UpdateTask];
      await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
    });
    const task = await begin('stopped', 'add', coco([['1', 0, 'cat']]));
    expect(await ended(task)).toMatchObject({ status: 'ABORTED' });
    expect(await said('stopped')).toEqual([]);
    await additions.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
    expect(await ended(task)).toMatchObject({ status: 'COMPLETED' });
    expect(await said('stopped')).toEqual(['0.jpg 1 cat 1']);
  });

  it('replaces what people say, also where they had removed what the media table says', async () => {
    await additions.api.must(202, 'POST', path('annotations'), {
      annotations: [0, 1].map((image) => ({ file_name: `${image}.jpg`, labels: ['of the table'] })),
    });
    await additions.api.untilStatus(id, ['READY']);
    await edit('ground_truth', 'delete', [{ file_name: '0.jpg' }]);
    expect((await said('ground_truth')).length).toBe(1);
    await ended(await begin('ground_truth', 'replace', coco([['z', 2, 'new']])));
    expect(await said('ground_truth')).toEqual(['2.jpg z new 1']);
  });
});
