import { ChangeSourceUseCase, type SourceEdits } from '../../../src/modules/annotations/change-source.use-case';
import { localAdmin } from '../../../src/modules/workspaces';
import { Additions } from '../../support/additions';
import { WebhookReceiver } from '../../support/webhook-receiver';
import { waitUntil } from '../../support/wait-until';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

interface Totals {
  readonly source: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

describe('edits of sources', () => {
  const running = runningApp({ WEBHOOK_HOSTS: '127.0.0.1' });
  const additions = new Additions(running);
  let source: string;
  let dataset: string;
  let sources: SourceClient;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Pictures', [0, 1, 2]);
    dataset = await additions.indexed('Edits', source);
    sources = new SourceClient(additions.api, dataset);
  });

  it('tell who comes second that an annotation was changed, and change nothing then', async () => {
    const one = { file_name: '0.jpg', id: 'a', label: 'cat' };
    const seen = async (): Promise<number> => (await sources.list()).annotations[0]!.version;
    await sources.send({ source: 'v', annotations: [one] });
    const v1 = await seen();
    await sources.send({ source: 'v', mode: 'merge', annotations: [{ ...one, label: 'dog', version: v1 }] });
    const v2 = await seen();
    expect(v2).not.toBe(v1);
    const second = { ...one, label: 'cow', version: v1 };
    const refused = await additions.api.ask('POST', sources.path(), {
      source: 'v',
      mode: 'merge',
      annotations: [{ ...one, id: 'b' }, second],
    });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringContaining(`'a' has version ${v2}, not ${v1}`) as string,
        conflicts: [
          { id: 'a', sent_version: v1, current: { label: 'dog', version: v2, source: 'v', file_path: '0.jpg' } },
        ],
      },
    });
    expect((await sources.list()).annotations).toMatchObject([{ id: 'a', label: 'dog', version: v2 }]);
    const gone = await additions.api.ask('POST', sources.path(), {
      source: 'v',
      mode: 'delete',
      annotations: [{ file_name: '0.jpg', id: 'x', version: 3 }],
    });
    expect(gone).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringContaining('was removed since version 3') as string,
        conflicts: [{ id: 'x', sent_version: 3, current: null }],
      },
    });
    let tag: string | null = null;
    const matching = async (version: string, body: object = {}): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'if-match': version };
      const sent = { source: 'v', mode: 'merge', annotations: [{ ...one, label: 'hen' }], ...body };
      const init = { method: 'POST', headers, body: JSON.stringify(sent) };
      const answer = await fetch(`${running.url}${sources.path()}`, init);
      tag = answer.headers.get('etag');
      return answer.status;
    };
    expect(await matching(`"${v1}"`)).toBe(409);
    expect(await matching(`"${v2}"`)).toBe(200);
    expect(tag).toBe(`"${await seen()}"`);
    expect(await matching(tag!)).toBe(200);
    expect(await matching('*')).toBe(422);
    expect(await matching('4', { mode: 'add' })).toBe(422);
    expect(await matching('4', { annotations: [one, { ...one, id: 'b' }] })).toBe(422);
    const v4 = await seen();
    await sources.send({ source: 'v', mode: 'replace', annotations: [one] });
    expect(await matching(String(v4))).toBe(409);
    const v5 = await seen();
    await sources.send({ source: 'v', mode: 'delete', annotations: [{ file_name: '0.jpg', id: 'a' }] });
    await sources.send({ source: 'v', annotations: [{ ...one, label: 'hen' }] });
    expect(await matching(String(v5))).toBe(409);
    expect((await sources.list()).annotations).toMatchObject([{ id: 'a', label: 'hen' }]);
    await sources.remove('v');
  });

  it('may have 10,000 annotations with shapes and attributes in a request', async () => {
    const each = { file_name: '0.jpg', label: 'x', attributes: { a: 1 } };
    const shape = { type: 'polygon', rings: [[0, 0, 1, 0, 1, 1]] };
    const annotations = Array.from({ length: 10_000 }, () => ({ ...each, shape }));
    expect(await sources.send({ source: 'many', annotations })).toMatchObject({ added: 10_000 });
    await sources.remove('many');
  });

  it('of simultaneous requests are all kept', async () => {
    const requests = Array.from({ length: 40 }, (_, at) =>
      sources.send({ source: `c${at % 2}`, annotations: [{ file_name: `${at % 3}.jpg`, id: `${at}`, label: 'x' }] }),
    );
    expect((await Promise.all(requests)).map(({ added }) => added)).toEqual(Array(40).fill(1));
    expect((await sources.list()).annotations.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    );
    expect(await sources.further()).toMatchObject([{ n_labels: 20 }, { n_labels: 20 }]);
    for (const name of ['c0', 'c1']) await sources.remove(name);
  });

  it('of simultaneous requests are published together, without those that are refused', async () => {
    const states = async (): Promise<number> =>
      (await additions.sql<{ n: number }>('SELECT count(*)::int AS n FROM annotation_state'))[0]!.n;
    const before = await states();
    const one = { file_name: '0.jpg', id: 'a', label: 'cat' };
    const ask = (source: string, mode: string, annotation: object) =>
      additions.api.ask('POST', sources.path(), { source, mode, annotations: [annotation] });
    const edits = running.app.get(ChangeSourceUseCase);
    const send = (source: string, id: string, rest: Partial<SourceEdits> = {}) =>
      edits.edit(
        dataset,
        {
          ...{ source, kind: 'predictions', modelId: null, mode: 'add' },
          pictures: [{ picture: { fileName: '0.jpg' }, edits: [{ kind: 'add', given: { id, label: 'x' } }] }],
          ...rest,
        },
        localAdmin(),
      );
    const refusedEdit = {
      pictures: [
        {
          picture: { fileName: '0.jpg' },
          edits: [{ kind: 'merge' as const, given: { id: 'a', label: 'y', version: 7 } }],
        },
      ],
    };
    const results = await Promise.allSettled([
      send('t1', 'first'),
      send('t1', 'a'),
      send('t1', 'x', refusedEdit),
      edits.rename(dataset, 't1', 't2', localAdmin()),
      send('t2', 'b'),
      edits.remove(dataset, 't1', localAdmin()),
      send('t3', 'c', { pictures: [{ picture: { fileName: 'none.jpg' }, edits: [] }] }),
      send('t1', 'd'),
      edits.rename(dataset, 't1', 't2', localAdmin()),
    ]);
    expect(results.map(({ status }) => (status === 'fulfilled' ? 1 : 0))).toEqual([1, 1, 0, 1, 1, 0, 1, 1, 0]);
    expect(await states()).toBe(before + 1);
    expect((await sources.list()).annotations.map(({ source: name, id }) => `${name} ${id}`).sort()).toEqual([
      't1 d',
      't2 a',
      't2 b',
      't2 first',
    ]);
    expect(await sources.further()).toMatchObject([
      { name: 't1', n_labels: 1 },
      { name: 't2', n_labels: 3 },
    ]);
    const { version } = (await sources.list('?source=t2')).annotations.find(({ id }) => id === 'a')!;
    expect(await ask('t2', 'merge', { ...one, label: 'dog', version })).toMatchObject({ status: 200 });
    for (const name of ['t1', 't2']) await sources.remove(name);
  });

  it('of some seconds are one event for webhooks', async () => {
    const receiver = await WebhookReceiver.start();
    const hooks = sources.path('webhooks');
    const hook = { url: receiver.url, events: ['annotations.changed'] };
    const { id } = await additions.api.must<{ id: string }>(200, 'POST', hooks, hook);
    const say = (name: string, ...ids: string[]): Promise<unknown> => {
      const annotations = ids.map((own) => ({ file_name: '0.jpg', id: own, label: 'cat' }));
      return sources.send({ source: name, mode: 'merge', annotations });
    };
    await Promise.all([say('a', '1', '2'), say('b', '1'), say('a', '3')]);
    await say('a', '1');
    await sources.remove('b');
    await waitUntil(async () => {
      const { deliveries } = await additions.api.must<{ deliveries: { status: string }[] }>(
        200,
        'GET',
        `${hooks}/${id}/deliveries`,
      );
      return deliveries.every(({ status }) => status === 'DELIVERED');
    });
    const sent = receiver.of('annotations.changed').flatMap(({ body }) => (body.data as { sources: Totals[] }).sources);
    const sum = (name: string): number[] =>
      (['added', 'changed', 'removed'] as const).map((of) =>
        sent.filter(({ source: own }) => own === name).reduce((total, each) => total + each[of], 0),
      );
    expect([sum('a'), sum('b')]).toEqual([
      [3, 1, 0],
      [1, 0, 1],
    ]);
    // A slow machine may begin a second one.
    expect(receiver.received.length).toBeLessThan(4);
    await receiver.close();
    await additions.api.must(200, 'DELETE', `${hooks}/${id}`);
    await sources.remove('a');
  });
});
