import { Additions } from '../../support/additions';
import { HistoryClient } from '../../support/history-client';
import { SnapshotClient } from '../../support/snapshot-client';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

describe('the label set of a dataset', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;
  let sources: SourceClient;

  beforeAll(async () => {
    dataset = await additions.indexed('Labels', await additions.writeFolder('Pictures', [0, 1]));
    sources = new SourceClient(additions.api, dataset);
  });

  const put = (closed: boolean, ...names: string[]): Promise<unknown> =>
    additions.api.must(200, 'PUT', sources.path('label_set'), { labels: names.map((name) => ({ name })), closed });
  const ask = (source: string, mode: string, ...annotations: object[]) =>
    additions.api.ask('POST', sources.path(), { source, mode, annotations });
  const one = (label: string, shape: object | null = null): object => ({ file_name: '0.jpg', label, shape });

  it('refuses other labels in ground_truth if it is closed', async () => {
    await put(false, 'boat', 'sea');
    await sources.send({ source: 'ground_truth', annotations: [{ ...one('car'), id: 'a' }] });
    await put(true, 'boat', 'sea');
    const shape = { type: 'box', x: 0, y: 0, width: 0.5, height: 0.5 };
    const body = { source: 'ground_truth', unit: 'fractions', annotations: [one('boat', shape), one('ship', shape)] };
    expect(await additions.api.ask('POST', sources.path(), body)).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'annotations', 1, 'label'], input: 'ship', msg: expect.stringContaining("'ship'") as string },
        ],
      },
    });
    expect((await ask('ground_truth', 'merge', { ...one('truck'), id: 'a' })).status).toBe(422);
    expect((await sources.list()).annotations.map(({ label }) => label)).toEqual(['car']);
    expect((await ask('ground_truth', 'add', one('boat'))).status).toBe(200);
    expect((await ask('detector', 'add', one('ship'))).status).toBe(200);
    expect((await ask('ground_truth', 'delete', { file_name: '0.jpg', id: 'a' })).status).toBe(200);
    const history = new HistoryClient(additions.api, dataset);
    await history.undo((await history.all('?source=ground_truth'))[0]!.change_id);
    expect((await sources.list('?source=ground_truth')).annotations.map(({ label }) => label)).toEqual(['car', 'boat']);
    await put(false, 'boat');
    expect((await ask('ground_truth', 'add', one('ship'))).status).toBe(200);
  });

  it('refuses other attributes in ground_truth if it is closed, except those that are there', async () => {
    const set = (closed: boolean) => ({
      labels: [{ name: 'boat', attributes: [{ name: 'size', type: 'choice', values: ['small', 'large'] }] }],
      closed,
    });
    const boat = (attributes: object) => ({ file_name: '1.jpg', id: 'b', label: 'boat', attributes });
    const inList = async () => (await sources.list('?source=ground_truth')).annotations.find(({ id }) => id === 'b');
    await additions.api.must(200, 'PUT', sources.path('label_set'), set(false));
    expect((await ask('ground_truth', 'merge', boat({ hull: 'wood' }))).status).toBe(200);
    await additions.api.must(200, 'PUT', sources.path('label_set'), set(true));
    expect(await ask('ground_truth', 'merge', boat({ hull: 'steel', size: 'huge' }))).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'annotations', 0, 'attributes', 'hull'], input: 'steel' },
          {
            ...{ loc: ['body', 'annotations', 0, 'attributes', 'size'], input: 'huge' },
            msg: expect.stringContaining('small, large') as string,
          },
        ],
      },
    });
    expect((await inList())!.attributes).toEqual({ hull: 'wood' });
    expect((await ask('ground_truth', 'merge', boat({ hull: 'wood', size: 'large' }))).status).toBe(200);
    expect((await inList())!.attributes).toEqual({ hull: 'wood', size: 'large' });
    expect((await ask('detector', 'add', boat({ hull: 'steel' }))).status).toBe(200);
  });

  it('is that of a clone, too, and each has its own from then on', async () => {
    await put(true, 'boat', 'sea');
    const client = new SnapshotClient(additions.api);
    const { snapshot_id: snapshot } = await client.keep(dataset, 'now');
    const { id: clone } = await client.clone(dataset, snapshot);
    await put(false, 'hill');
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${clone}/label_set`)).toMatchObject({
      labels: [{ name: 'boat' }, { name: 'sea' }],
      closed: true,
    });
    expect(await additions.api.must(200, 'GET', sources.path('label_set'))).toMatchObject({
      labels: [{ name: 'hill' }],
    });
    const [entry] = await additions.sql<{ subject: string; details: object }>(
      `SELECT subject, details FROM audit_entry WHERE action = 'label_set_changed' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toEqual({ subject: dataset, details: { labels: 1, closed: false } });
  });
});
