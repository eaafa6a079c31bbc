import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textOfRuns } from '../../../src/common/engine/annotations/mask-runs';
import { ChangeSourceUseCase, type SourceEdits } from '../../../src/modules/annotations/change-source.use-case';
import { AnnotationSweep } from '../../../src/modules/versions/annotations/annotation-files';
import { localAdmin } from '../../../src/modules/workspaces';
import { Additions } from '../../support/additions';
import { SnapshotClient } from '../../support/snapshot-client';
import { editionOf, SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('annotations of sources', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;
  let dataset: string;
  let sources: SourceClient;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Pictures', [0, 1, 2]);
    dataset = await additions.indexed('Sources', source);
    sources = new SourceClient(additions.api, dataset);
  });

  const box = (x: number) => ({ type: 'box', x, y: 1 / 3, width: 10.1, height: 0.2 + 0.1 });

  it('are listed as they were sent, and their dataset stays READY', async () => {
    const shapes = [
      box(5),
      { type: 'box', x: -3.5, y: 2, width: 1e-9, height: 4, rotation: 12.25 },
      {
        type: 'polygon',
        rings: [
          [0, 0, 50.5, 0, 50, 40],
          [10, 10, 20, 10, 20, 20.125],
        ],
      },
      { type: 'mask', width: 160, height: 120, counts: textOfRuns([200, 1000, 18_000]) },
      { type: 'keypoints', points: [1.5, 2.5, 2, 7, 8, 1, 0, 0, 0] },
      null,
    ];
    const given = shapes.map((shape, at) => ({
      file_name: at < 5 ? '0.jpg' : '1.jpg',
      id: `own-${at}`,
      label: at % 2 === 0 ? 'cat' : 'dog',
      shape,
      confidence: 0.1 + 0.2,
      area: 12.5,
      attributes: { occluded: true, count: 3, side: 'left' },
      crowd: at === 3,
      ignored: at === 4,
      track_id: 't1',
    }));
    const sent = {
      source: 'every-shape',
      model_id: 'detector_v1',
      annotations: [...given, { ...given[0], file_name: 'x.jpg' }],
    };
    expect(await sources.send(sent)).toMatchObject({ added: 6, changed: 0, removed: 0, unmatched: [6] });
    const { annotations, total, next_cursor: next } = await sources.list();
    expect([total, next]).toEqual([6, null]);
    const common = { source: 'every-shape', created_by: localAdmin().email };
    expect([...annotations].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      given.map(({ file_name: name, ...rest }): unknown =>
        expect.objectContaining({ ...rest, ...common, file_path: name }),
      ),
    );
    expect(await sources.further()).toEqual([
      expect.objectContaining({
        ...{ name: 'every-shape', kind: 'predictions', model_id: 'detector_v1' },
        ...{ n_labels: 1, n_boxes: 2, n_polygons: 1, n_masks: 1, n_keypoints: 1 },
      }),
    ]);
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${dataset}`)).toMatchObject({ status_new: 'READY' });
    await sources.remove('every-shape');
    expect(await sources.list()).toEqual({ annotations: [], next_cursor: null, total: 0 });
    expect(await sources.further()).toEqual([]);
  });

  it('in fractions become pixels', async () => {
    const shape = { type: 'box', x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    await sources.send({ source: 'f', unit: 'fractions', annotations: [{ file_name: '0.jpg', label: 'cat', shape }] });
    expect((await sources.list()).annotations[0]!.shape).toEqual({ type: 'box', x: 40, y: 60, width: 80, height: 30 });
    await sources.remove('f');
  });

  it('are added, merged, replaced and deleted, with their counts', async () => {
    const one = { file_name: '0.jpg', label: 'cat', shape: box(1) };
    const all = async (): Promise<string[]> =>
      (await sources.list('?source=m')).annotations
        .map((each) => `${each.file_path} ${each.id} ${each.label} ${editionOf(each)}`)
        .sort();
    await sources.send({
      source: 'm',
      annotations: [
        { ...one, id: 'a' },
        { ...one, id: 'b' },
        { ...one, file_name: '1.jpg', id: 'a' },
      ],
    });
    expect(await sources.send({ source: 'm', annotations: [{ ...one, id: 'a', label: 'other' }] })).toMatchObject({
      added: 0,
      changed: 0,
    });
    expect(
      await sources.send({
        source: 'm',
        mode: 'merge',
        annotations: [
          { ...one, id: 'a', label: 'dog', shape: null },
          { ...one, id: 'c' },
        ],
      }),
    ).toMatchObject({ added: 1, changed: 1 });
    expect(await all()).toEqual(['0.jpg a dog 2', '0.jpg b cat 1', '0.jpg c cat 1', '1.jpg a cat 1']);
    expect(await sources.further()).toMatchObject([{ n_labels: 1, n_boxes: 3 }]);
    expect(
      await sources.send({
        source: 'm',
        mode: 'delete',
        annotations: [
          { file_name: '0.jpg', id: 'b' },
          { file_name: '0.jpg', id: 'gone' },
        ],
      }),
    ).toMatchObject({ removed: 1 });
    expect(await sources.send({ source: 'm', mode: 'replace', annotations: [{ ...one, id: 'z' }] })).toMatchObject({
      added: 1,
      removed: 2,
    });
    expect(await all()).toEqual(['0.jpg z cat 1', '1.jpg a cat 1']);
    expect(await sources.send({ source: 'm', mode: 'delete', annotations: [{ file_name: '0.jpg' }] })).toMatchObject({
      removed: 1,
    });
    expect(await sources.further()).toMatchObject([{ n_labels: 0, n_boxes: 1 }]);
    await sources.remove('m');
  });

  it('are listed in pages, by source, label and medium', async () => {
    const given = Array.from({ length: 25 }, (_, at) => ({
      file_name: `${at % 3}.jpg`,
      id: `${at}`,
      label: at % 2 === 0 ? 'cat' : 'dog',
    }));
    for (const name of ['p2', 'p1']) await sources.send({ source: name, annotations: given });
    const pages = async (query: string): Promise<{ ids: string[]; totals: Set<number> }> => {
      const ids: string[] = [];
      const totals = new Set<number>();
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await sources.list(`?limit=4${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(page.annotations.length).toBeLessThanOrEqual(4);
        ids.push(...page.annotations.map(({ source: name, id }) => `${name}/${id}`));
        totals.add(page.total);
        cursor = page.next_cursor;
      }
      return { ids, totals };
    };
    const all = await pages('');
    expect(all.totals).toEqual(new Set([50]));
    expect(new Set(all.ids).size).toBe(50);
    expect(all.ids.map((id) => id.slice(0, 2))).toEqual([
      ...Array<string>(25).fill('p1'),
      ...Array<string>(25).fill('p2'),
    ]);
    const cats = await pages('&source=p2&label=cat');
    expect([cats.ids.length, [...cats.totals]]).toEqual([13, [13]]);
    const [first] = (await sources.list('?limit=1')).annotations;
    const own = await pages(`&media_id=${first!.media_id}`);
    expect(own.ids.length).toBe(own.totals.values().next().value);
    expect([16, 18]).toContain(own.ids.length);
    const media = [...new Set((await sources.list('?limit=1000')).annotations.map(({ media_id: id }) => id))];
    const two = await pages(`&source=p1&media_id=${media.slice(0, 2).join(',')},${randomUUID()}`);
    const both = (await sources.list('?limit=1000&source=p1')).annotations.filter(
      ({ media_id: id }) => media.indexOf(id) < 2,
    );
    expect(two).toEqual({ ids: both.map(({ id }) => `p1/${id}`), totals: new Set([both.length]) });
    expect((await sources.list(`?media_id=${randomUUID()}`)).total).toBe(0);
    expect((await sources.list('?source=none')).total).toBe(0);
    expect(await additions.api.ask('GET', sources.path('annotations?cursor=nonsense'))).toMatchObject({ status: 422 });
    for (const name of ['p1', 'p2']) await sources.remove(name);
  });

  it('go with snapshots, restored and cloned', async () => {
    const client = new SnapshotClient(additions.api);
    const one = { file_name: '0.jpg', id: 'a', label: 'cat', shape: box(2) };
    await sources.send({ source: 's', annotations: [one] });
    const { version: first } = (await sources.list()).annotations[0]!;
    const { snapshot_id: snapshot } = await client.keep(dataset, 'before');
    await sources.send({ source: 's', mode: 'merge', annotations: [{ ...one, label: 'dog' }] });
    await sources.send({ source: 't', annotations: [one] });
    const { annotations: now } = await sources.list();
    expect(now.map(({ label }) => label)).toEqual(['dog', 'cat']);
    expect((await sources.list(`?snapshot_id=${snapshot}`)).annotations.map(({ label }) => label)).toEqual(['cat']);
    const { id: clone } = await client.clone(dataset, snapshot);
    const cloned = new SourceClient(additions.api, clone);
    expect((await cloned.list()).annotations).toMatchObject([{ source: 's', label: 'cat', version: first }]);
    await cloned.send({ source: 's', mode: 'merge', annotations: [{ ...one, label: 'cow' }] });
    await client.restore(dataset, snapshot);
    expect((await sources.list()).annotations).toMatchObject([{ source: 's', label: 'cat', version: first }]);
    expect((await cloned.list()).annotations).toMatchObject([{ source: 's', label: 'cow' }]);
    // Who saw the dog has not seen the hen.
    await sources.send({ source: 's', mode: 'merge', annotations: [{ ...one, label: 'hen' }] });
    expect((await sources.list()).annotations[0]!.version).not.toBe(now[0]!.version);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${clone}`);
    await sources.remove('s');
  });

  it('follow their media when the dataset is indexed anew or grows', async () => {
    const id = await additions.indexed('Growing', source);
    const growing = new SourceClient(additions.api, id);
    const annotations = [0, 1, 2].map((at) => ({ file_name: `${at}.jpg`, id: `${at}`, label: 'x' }));
    await growing.send({ source: 'g', annotations });
    const placed = async (): Promise<string[]> =>
      (await growing.list('?source=g')).annotations.map(({ file_path: file, id: own }) => `${file} ${own}`).sort();
    const cursor = (await growing.list('?limit=1')).next_cursor!;
    await additions.addFolder(id, await additions.writeFolder('More', [5, 6]));
    await additions.ended(id);
    expect(await placed()).toEqual(['0.jpg 0', '1.jpg 1', '2.jpg 2']);
    await growing.send({ source: 'g', annotations: [{ file_name: '5.jpg', id: '5', label: 'x' }] });
    await additions.reindex(id);
    await additions.ended(id);
    expect(await placed()).toEqual(['0.jpg 0', '1.jpg 1', '2.jpg 2', '5.jpg 5']);
    expect(await additions.api.ask('GET', growing.path(`annotations?cursor=${cursor}`))).toMatchObject({ status: 409 });
  });

  it('can be renamed, and refuse the name of another and of what people say', async () => {
    for (const name of ['n1', 'n2'])
      await sources.send({ source: name, annotations: [{ file_name: '0.jpg', label: 'x' }] });
    const rename = (from: string, to: string) =>
      additions.api.ask('PATCH', sources.path(`annotation_sources/${from}`), { name: to });
    expect(await rename('n1', 'n3')).toMatchObject({ status: 200, body: { name: 'n3', n_labels: 1 } });
    expect((await sources.list()).annotations.map(({ source: name }) => name)).toEqual(['n2', 'n3']);
    expect(await rename('n3', 'n2')).toMatchObject({ status: 409 });
    expect(await rename('n1', 'n4')).toMatchObject({ status: 404 });
    expect(await rename('n3', 'ground_truth')).toMatchObject({ status: 422 });
    expect(await additions.api.ask('DELETE', sources.path('annotation_sources/n1'))).toMatchObject({ status: 404 });
    for (const name of ['n2', 'n3']) await sources.remove(name);
  });

  it('cannot be changed while the dataset is READ ONLY', async () => {
    const setStatus = (status: string) =>
      additions.sql('UPDATE dataset SET status_new = $1 WHERE id = $2', [status, dataset]);
    await setStatus('READ ONLY');
    const refused = await additions.api.ask('POST', sources.path(), {
      source: 'x',
      annotations: [{ file_name: '0.jpg', label: 'x' }],
    });
    await setStatus('READY');
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('READ ONLY') as string } });
  });

  it('are swept when there were thousands of edits', async () => {
    // A file of each state, and one that no state names.
    await additions.sql(`
      WITH made AS (
        INSERT INTO annotation_segment SELECT gen_random_uuid(), now() - interval '1 day' FROM generate_series(1, 6000)
        RETURNING id
      ), numbered AS (SELECT id, row_number() OVER () AS number FROM made)
      INSERT INTO annotation_state (id, sources, created_at)
      SELECT gen_random_uuid(), jsonb_build_array(jsonb_build_object('name', 'many', 'segments',
        (SELECT jsonb_agg(jsonb_build_object('id', others.id)) FROM numbered AS others
          WHERE others.number BETWEEN own.number - 30 AND own.number))), now()
      FROM numbered AS own WHERE number <= 3000`);
    const left = async () => {
      const [found] = await additions.sql<{ states: number; segments: number }>(`
        SELECT (SELECT count(*)::int FROM annotation_state WHERE sources -> 0 ->> 'name' = 'many') AS states,
          (SELECT count(*)::int FROM annotation_segment WHERE created_at < now() - interval '1 hour') AS segments`);
      return found!;
    };
    const sweep = running.app.get(AnnotationSweep);
    await sweep.sweep(new Date());
    expect(await left()).toEqual({ states: 3_000, segments: 3_000 });
    await sweep.sweep(new Date(Date.now() + DAY_MS));
    expect(await left()).toEqual({ states: 0, segments: 0 });
  });

  it('leave nothing behind when they are cut off, and are swept when nothing points to them', async () => {
    const sweep = running.app.get(AnnotationSweep);
    const files = async (): Promise<number> =>
      (await readdir(join(running.folder, 'data', 'store', 'annotations')).catch(() => [])).length;
    const sweptAfter = async (days: number): Promise<void> => {
      await sweep.sweep(new Date(Date.now() + days * DAY_MS));
    };
    await sources.send({ source: 'w', annotations: [{ file_name: '0.jpg', id: 'a', label: 'x' }] });
    await sweptAfter(0);
    await sweptAfter(1);
    const [left] = await additions.sql<{ n: number }>('SELECT count(*)::int AS n FROM annotation_state');
    const before = await files();
    await additions.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''cut off''; END'`,
    );
    await additions.sql(
      'CREATE TRIGGER refuse BEFORE UPDATE OF annotation_state ON dataset FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const edits: SourceEdits = {
      ...{ source: 'w', kind: 'predictions', modelId: null, mode: 'add' },
      pictures: [{ picture: { fileName: '0.jpg' }, edits: [{ kind: 'add', given: { id: 'b', label: 'y' } }] }],
    };
    await expect(running.app.get(ChangeSourceUseCase).edit(dataset, edits, localAdmin())).rejects.toThrow('cut off');
    await additions.sql('DROP TRIGGER refuse ON dataset');
    await additions.sql('DROP FUNCTION refuse');
    expect((await sources.list()).annotations.map(({ id }) => id)).toEqual(['a']);
    expect(await files()).toBe(before + 2);
    await sweptAfter(1);
    expect(await files()).toBe(before);
    expect((await sources.list()).total).toBe(1);
    await sources.remove('w');
    await sweptAfter(2);
    await sweptAfter(3);
    const [afterwards] = await additions.sql<{ n: number }>('SELECT count(*)::int AS n FROM annotation_state');
    expect(afterwards!.n).toBe(left!.n - 1);
    expect(await files()).toBe(before - 2);
  });
});
