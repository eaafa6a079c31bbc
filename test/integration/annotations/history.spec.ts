import { ChangeSourceUseCase, UndoChangeUseCase, type EditOutcome } from '../../../src/modules/annotations';
import { localAdmin } from '../../../src/modules/workspaces';
import { Additions } from '../../support/additions';
import { HistoryClient } from '../../support/history-client';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient, type ListedAnnotation } from '../../support/source-client';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const BOX = { type: 'box', x: 64, y: 12, width: 16, height: 9 };
const NOBODY = '11111111-2222-4333-8444-555555555555';

describe('the history of annotations', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;
  let sources: SourceClient;
  let history: HistoryClient;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    dataset = await additions.indexed('History', await additions.writeFolder('Pictures', [0, 1, 2]));
    sources = new SourceClient(additions.api, dataset);
    history = new HistoryClient(additions.api, dataset);
  });

  const send = async (source: string, mode: string, ...annotations: object[]): Promise<string> =>
    (await sources.send({ source, mode, annotations }))['change_id'] as string;
  const one = (id: string, label: string, file = '0.jpg'): object => ({ file_name: file, id, label, shape: BOX });
  const list = async (source: string): Promise<readonly ListedAnnotation[]> =>
    (await sources.list(`?source=${source}&limit=1000`)).annotations;
  /** By the names of the pictures, whose order in the table is not known. */
  const said = async (source: string): Promise<string> =>
    (await list(source))
      .toSorted((one, other) => one.file_path.localeCompare(other.file_path))
      .map(({ file_path: file, id, label }) => `${file[0]}${id}=${label}`)
      .join(' ');

  it('has each edit, which can be undone to the last detail, and done again', async () => {
    const changes = [
      await send('modes', 'add', one('a', 'cat'), one('b', 'dog'), one('c', 'cow', '1.jpg')),
      await send('modes', 'merge', one('b', 'wolf'), one('d', 'hen'), one('c', 'ox', '1.jpg')),
      await send('modes', 'delete', { file_name: '0.jpg', id: 'a' }),
      await send('modes', 'add', one('a', 'lion'), one('b', 'known already')),
      await send('modes', 'replace', one('b', 'bee'), one('e', 'eel')),
      await send('modes', 'delete', { file_name: '0.jpg' }, { file_name: '1.jpg' }),
    ];
    expect(await said('modes')).toBe('');
    const undos: string[] = [];
    const expected = ['0b=bee 0e=eel 1c=ox', '0b=wolf 0d=hen 0a=lion 1c=ox', '0b=wolf 0d=hen 1c=ox'];
    expected.push('0a=cat 0b=wolf 0d=hen 1c=ox', '0a=cat 0b=dog 1c=cow', '');
    const states = [await list('modes')];
    for (const [at, change] of changes.toReversed().entries()) {
      undos.push(await history.undo(change));
      expect(await said('modes')).toBe(expected[at]);
      states.push(await list('modes'));
    }
    expect(await sources.further()).toEqual([]);
    for (const [at, undo] of undos.toReversed().entries()) {
      await history.undo(undo);
      expect(await list('modes')).toEqual(states[states.length - 2 - at]);
    }
    const all = await history.all('?source=modes');
    expect(all).toHaveLength(18);
    expect(all.at(-2)).toMatchObject({
      ...{ change_id: changes[1], source: 'modes', mode: 'merge', undoes: null, undone_by: undos[4] },
      ...{ added: 1, changed: 2, removed: 0, n_media: 2, can_be_undone: false, created_by: localAdmin().email },
      media: [
        { file_path: '0.jpg', before: [{ id: 'b', label: 'dog' }], after: [{ label: 'wolf' }, { label: 'hen' }] },
        { file_path: '1.jpg', before: [{ id: 'c', label: 'cow', shape: BOX }], after: [{ label: 'ox' }] },
      ],
    });
    expect(all[11]).toMatchObject({ mode: 'undo', undoes: changes[5], added: 3, changed: 0, removed: 0 });
    expect(all[0]).toMatchObject({ mode: 'undo', undone_by: null, removed: 3, can_be_undone: true });
  });

  it('removes a source with the undo of its first edit, unless others used it, and makes it again as it was', async () => {
    const first = await send('begun', 'add', one('a', 'cat'));
    const [made] = (await sources.further()).filter(({ name }) => name === 'begun');
    const undo = await history.undo(first);
    expect(await list('begun')).toEqual([]);
    expect((await sources.further()).map(({ name }) => name)).not.toContain('begun');
    await history.undo(undo);
    expect(await sources.further()).toContainEqual(made);
    await send('begun', 'add', one('b', 'dog'));
    await history.undo((await history.all('?source=begun'))[1]!.change_id);
    expect(await said('begun')).toBe('0b=dog');
    expect(await sources.further()).toContainEqual({ ...made, n_boxes: 1 });
    await sources.remove('begun');
  });

  it('undoes nothing that was changed since, and shows both sides', async () => {
    const change = await send('both', 'merge', one('a', 'cat'), one('b', 'dog', '1.jpg'));
    const before = await list('both');
    const removal = await send('both', 'delete', { file_name: '0.jpg', id: 'a' });
    await send('both', 'merge', one('a', 'cow'));
    const now = await list('both');
    const current = now.find(({ id }) => id === 'a')!;
    const sent = before.find(({ id }) => id === 'a')!.version;
    for (const each of [change, removal])
      expect(await history.refusedUndo(each)).toMatchObject({
        status: 409,
        body: {
          detail: expect.stringContaining("Annotation 'a' has version") as string,
          conflicts: [{ id: 'a', media_id: current.media_id, sent_version: sent, current }],
        },
      });
    await send('both', 'delete', { file_name: '1.jpg', id: 'b' });
    const { body } = await history.refusedUndo(change);
    expect(body).toMatchObject({ conflicts: [{ id: 'a' }, { id: 'b', current: null }] });
    expect(await said('both')).toBe('0a=cow');
    await sources.remove('both');
    expect(await history.refusedUndo(change)).toMatchObject({
      status: 409,
      body: { detail: "The source 'both' was removed or renamed since, so this change of it cannot be undone." },
    });
  });

  it('undoes a change once', async () => {
    const change = await send('once', 'add', one('a', 'cat'));
    const asked = await Promise.all([history.refusedUndo(change), history.refusedUndo(change)]);
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(asked.find(({ status }) => status === 409)!.body).toEqual({ detail: 'This change was undone already.' });
    expect(await history.refusedUndo(NOBODY)).toMatchObject({ status: 404, body: { detail: 'Change not found' } });
    const other = await additions.indexed('Another', additions.place('Pictures'));
    expect(await new HistoryClient(additions.api, other).refusedUndo(change)).toMatchObject({ status: 404 });
  });

  it('gives back an old version only with what it stood for', async () => {
    await send('seen', 'merge', one('a', 'cat'));
    const merge = async (label: string, version: number): Promise<number> => {
      const annotations = [{ ...one('a', label), version }];
      return (await additions.api.ask('POST', sources.path(), { source: 'seen', mode: 'merge', annotations })).status;
    };
    const [cat] = await list('seen');
    const change = await send('seen', 'merge', one('a', 'dog'));
    const [dog] = await list('seen');
    await history.undo(change);
    expect(await list('seen')).toEqual([cat]);
    expect(await merge('cow', dog!.version)).toBe(409);
    expect(await merge('cow', cat!.version)).toBe(200);
    expect(await merge('hen', cat!.version)).toBe(409);
    expect(await merge('hen', dog!.version)).toBe(409);
    await sources.remove('seen');
  });

  it('undoes changes of labels and objects of the table', async () => {
    const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    const annotations = [
      { file_name: '2.jpg', labels: ['pet', 'cat'], objects: [{ label: 'ear', bounding_box: box }] },
    ];
    await additions.api.must(202, 'POST', sources.path(), { annotations });
    await additions.api.untilStatus(dataset, ['READY']);
    const before = await list('ground_truth');
    const cat = before.find(({ label }) => label === 'cat')!;
    const ear = before.find(({ label }) => label === 'ear')!;
    const details = async (): Promise<unknown> => additions.detailOf(dataset, '2.jpg');
    const shown = await details();
    const found = async (label: string): Promise<number> => {
      const path = sources.path('facets?entity_type=OBJECTS');
      const { labels } = await additions.api.must<{ labels: { value: string; count: number }[] }>(200, 'GET', path);
      return labels.find(({ value }) => value === label)?.count ?? 0;
    };
    const changes = [
      await send('ground_truth', 'delete', { media_id: cat.media_id, id: cat.id }),
      await send('ground_truth', 'merge', { media_id: ear.media_id, id: ear.id, label: 'nose', shape: ear.shape }),
      await send('ground_truth', 'replace', { media_id: ear.media_id, label: 'dog' }),
    ];
    await history.undo(changes[2]!);
    expect(await found('nose')).toBe(1);
    await history.undo(changes[1]!);
    expect([await found('nose'), await found('ear')]).toEqual([0, 1]);
    await history.undo(changes[0]!);
    expect(await list('ground_truth')).toEqual(before);
    expect(await details()).toEqual(shown);
  });

  it('lists imports, and changes of whole sources, without their content', async () => {
    const form = new FormData();
    form.set('source', 'files');
    form.append('files', new Blob(['filename,label\n0.jpg,cat\n1.jpg,cat\n']), 'said.csv');
    const { task_id: task } = await additions.api.must<{ task_id: string }>(
      202,
      'POST',
      sources.path('annotations/files'),
      form,
    );
    await additions.ended(dataset, task);
    await additions.api.must(200, 'PATCH', sources.path('annotation_sources/files'), { name: 'renamed' });
    await sources.remove('renamed');
    const [removal, renaming, first] = await history.all();
    const counted = { n_media: null, media: [], can_be_undone: false };
    expect(removal).toMatchObject({ source: 'renamed', mode: 'remove', removed: 2, ...counted });
    expect(renaming).toMatchObject({ source: 'files', mode: 'rename', removed: 0, ...counted });
    expect(first).toMatchObject({
      source: 'files',
      mode: 'import',
      added: 2,
      created_by: localAdmin().email,
      ...counted,
    });
    expect(await history.refusedUndo(first!.change_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('only its counts are kept') as string },
    });
  });

  it('is listed by medium, source, person and in pages', async () => {
    for (const file of ['0.jpg', '1.jpg', '0.jpg']) await send('listed', 'add', { file_name: file, label: 'cat' });
    const wide = await send('listed', 'add', ...[0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, label: 'sea' })));
    const { media_id: id } = (await list('listed')).find(({ file_path: path }) => path === '1.jpg')!;
    const of = await history.all(`?media_id=${id.toUpperCase()}&source=listed`);
    expect(of.map(({ n_media: media }) => media)).toEqual([3, 1]);
    expect(of[0]).toMatchObject({ change_id: wide, media: [{ file_path: '1.jpg', after: [{ label: 'sea' }] }] });
    const by = encodeURIComponent(localAdmin().email);
    expect(await history.all(`?source=listed&created_by=${by}`)).toHaveLength(4);
    expect(await history.all('?created_by=nobody@example.com')).toEqual([]);
    expect(await history.all(`?queue_id=${NOBODY}`)).toEqual([]);
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `?source=listed&limit=3${cursor && `&cursor=${cursor}`}`;
      const { changes, next_cursor: next }: Awaited<ReturnType<HistoryClient['page']>> = await history.page(query);
      pages.push(...changes.map(({ change_id: change }) => change));
      cursor = next;
    }
    expect(pages).toEqual((await history.all('?source=listed')).map(({ change_id: change }) => change));
    await sources.remove('listed');
  });

  it('keeps the content of a change up to a size, and lists few large ones on a page', async () => {
    const attributes = { note: 'x'.repeat(500), other: 'y'.repeat(200) };
    const many = (label: string): object[] =>
      Array.from({ length: 9_000 }, () => ({ file_name: '0.jpg', label, attributes }));
    const first = await send('large', 'add', ...many('a'));
    const undo = await history.undo(first);
    await history.undo(undo);
    const { changes, next_cursor: next } = await history.page('?source=large&limit=2');
    expect([changes.length, next === null]).toEqual([1, false]);
    expect(changes[0]!.media[0]!.after).toHaveLength(9_000);
    const replaced = await send('large', 'replace', ...many('b'));
    const [latest] = await history.all('?source=large&limit=1');
    expect(latest).toMatchObject({
      ...{ change_id: replaced, can_be_undone: false, added: 9_000, removed: 9_000, n_media: 1, media: [] },
    });
    expect(await history.refusedUndo(replaced)).toMatchObject({ status: 409 });
    await sources.remove('large');
  });

  it('has the review queue of an edit, which is made together with what runs alongside it', async () => {
    const edits = running.app.get(ChangeSourceUseCase);
    const asked = {
      ...({ source: 'queued', kind: 'truth', modelId: null, mode: 'add' } as const),
      pictures: [{ picture: { fileName: '0.jpg' }, edits: [{ kind: 'add' as const, given: { id: 'a', label: 'x' } }] }],
    };
    const refusal = new Error('the lease has run out');
    const refuse = (): Promise<void> => Promise.reject(refusal);
    await expect(edits.edit(dataset, asked, localAdmin(), { queueId: NOBODY, alongside: refuse })).rejects.toBe(
      refusal,
    );
    expect(await list('queued')).toEqual([]);
    let seen: EditOutcome | undefined;
    const alongside = (outcome: EditOutcome): Promise<void> => Promise.resolve(void (seen = outcome));
    const outcome = await edits.edit(dataset, asked, localAdmin(), { queueId: NOBODY, alongside });
    expect(seen).toEqual(outcome);
    const undoing = running.app.get(UndoChangeUseCase);
    await expect(undoing.undo(dataset, outcome.changeId!, localAdmin(), refuse)).rejects.toBe(refusal);
    const { changeId: undo } = await undoing.undo(dataset, outcome.changeId!, localAdmin());
    const queued = await history.all(`?queue_id=${NOBODY}`);
    expect(queued.map(({ change_id: change }) => change)).toEqual([undo, outcome.changeId]);
  });

  it('is not that of a clone, and goes with its dataset', async () => {
    const client = new SnapshotClient(additions.api);
    const { snapshot_id: snapshot } = await client.keep(dataset, 'now');
    const { id: clone } = await client.clone(dataset, snapshot);
    const cloned = new HistoryClient(additions.api, clone);
    expect(await cloned.all()).toEqual([]);
    await new SourceClient(additions.api, clone).send({ source: 'own', annotations: [one('a', 'cat')] });
    expect(await cloned.all()).toHaveLength(1);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${clone}`);
    const left = 'SELECT count(*)::int AS n FROM annotation_change WHERE dataset_id = $1';
    await waitUntil(async () => (await additions.sql<{ n: number }>(left, [clone]))[0]!.n === 0);
  });
});
