import { randomUUID } from 'node:crypto';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { DatasetReader, DatasetWriter } from '../../../src/modules/datasets';
import { AssignTagUseCase, DeleteTagUseCase } from '../../../src/modules/search/tags/assign-tag.use-case';
import { AssignmentChanges } from '../../../src/modules/search/tags/assignment-changes';
import { SearchEngine } from '../../../src/modules/search/query/search-engine';
import { SelectionResolver } from '../../../src/modules/search/selection/selection-resolver';
import { TagRepository } from '../../../src/modules/versions/tags/persistence/tag.repository';
import { TagAssignmentsCache, TagFiles, TagFileSweep } from '../../../src/modules/versions/tags/tag-files';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

const DAY_MS = 24 * 60 * 60 * 1000;
const PICTURES = 8;

interface Tag {
  readonly id: string;
  readonly name: string;
  readonly n_items: number;
}

interface Cluster {
  readonly cluster_id: string;
  readonly n_frames: number;
  readonly previews: {
    readonly media_id: string;
    readonly original_uri: string;
    readonly user_tags: Record<string, { name: string; count: number }> | null;
  }[];
}

describe('tags', () => {
  const running = runningApp();
  let api: ApiClient;
  let dataset: string;
  let store: string;

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    running.database.dataSource.query<Row[]>(text, values);
  const pathOf = (rest = '', id = dataset): string => `/api/v1/dataset/${id}/tags${rest}`;
  const make = (name: string, id = dataset): Promise<Tag> => api.must<Tag>(200, 'POST', pathOf('', id), { name });
  const list = async (id = dataset): Promise<Tag[]> =>
    (await api.must<{ tags: Tag[] }>(200, 'GET', pathOf('', id))).tags;
  const itemsOf = async (tag: Tag): Promise<number> => (await list()).find(({ id }) => id === tag.id)!.n_items;
  const media = (...ids: readonly string[]) => ({ type: 'media', payload: { media_ids: ids } });
  const cluster = (id: string, more: object = {}) => ({ type: 'cluster', payload: { cluster_id: id, ...more } });
  const change = async (verb: 'assign' | 'unassign', tag: Tag, ...selection: object[]): Promise<number> =>
    (
      await api.must<{ count: number }>(200, 'POST', pathOf(`/${tag.id}/${verb}`), {
        media_selection: selection,
      })
    ).count;
  const assign = (tag: Tag, ...selection: object[]): Promise<number> => change('assign', tag, ...selection);
  const explore = async (query: string): Promise<Cluster[]> =>
    (await api.must<{ clusters: Cluster[] }>(200, 'GET', `/api/v1/explore/${dataset}?${query}`)).clusters;
  const largest = async (): Promise<Cluster> => (await explore('threshold=4'))[0]!;
  const images = async (): Promise<string[]> =>
    (await explore('threshold=0'))
      .flatMap(({ previews }) => previews)
      .filter(({ original_uri: uri }) => /^\d\.jpg$/.test(uri))
      .map(({ media_id: id }) => id);
  const files = async (): Promise<string[]> => (await readdir(join(store, 'tags'))).sort();
  const pointedAt = async (): Promise<string[]> =>
    (await sql<{ file: string }>('SELECT tags_file AS file FROM dataset WHERE tags_file IS NOT NULL')).map(
      ({ file }) => `${file}.arrow`,
    );
  const setStatus = (status: string): Promise<unknown[]> =>
    sql('UPDATE dataset SET status_new = $2 WHERE id = $1', [dataset, status]);

  beforeAll(async () => {
    api = new ApiClient(running.url);
    store = join(running.folder, 'data', 'store');
    const source = join(running.folder, 'source');
    // Six similar pictures form a cluster.
    for (let i = 0; i < PICTURES; i += 1) await writePicture(join(source, `${i}.jpg`), i < 6 ? 0 : i);
    await copyFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4'), join(source, 'clip.mp4'));
    await writeFile(join(source, 'image_annotations.csv'), 'filename,label\n0.jpg,disc\n1.jpg,disc\n2.jpg,disc\n');
    await writeFile(
      join(source, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n3.jpg,20,10,60,50,ball\n4.jpg,20,10,60,50,ball\n',
    );
    dataset = await api.indexed('Tagged', source);
  });

  it('are created, listed by name, renamed and deleted', async () => {
    const [late, early] = [await make('  zebra '), await make('Ape')];
    expect(late).toEqual({ id: late.id, name: 'zebra', n_items: 0 });
    expect(await list()).toEqual([early, late]);
    expect(await api.must(200, 'PATCH', pathOf(`/${early.id}`), { name: 'APE' })).toEqual({ ...early, name: 'APE' });
    for (const taken of ['ZEBRA', ' zebra', 'ｚebra']) {
      expect(await api.must(409, 'PATCH', pathOf(`/${early.id}`), { name: taken })).toEqual({
        detail: `A tag named '${taken.trim()}' already exists in this dataset`,
      });
      await api.must(409, 'POST', pathOf(), { name: taken });
    }
    for (const { id } of [late, early]) await api.must(204, 'DELETE', pathOf(`/${id}`));
    expect(await list()).toEqual([]);
    await api.must(404, 'DELETE', pathOf(`/${late.id}`));
  });

  it('have unique names, even if created concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.ask('POST', pathOf(), { name: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('are assigned to and removed from single media', async () => {
    const tag = await make('single');
    const [first, second, third] = await images();
    expect(await assign(tag, media(first!, second!.toUpperCase(), first!))).toBe(2);
    expect(await assign(tag, media(second!), media(third!))).toBe(1);
    expect(await itemsOf(tag)).toBe(3);
    expect(await change('unassign', tag, media(first!))).toBe(1);
    expect(await change('unassign', tag, media(first!))).toBe(0);
    expect(await itemsOf(tag)).toBe(2);
  });

  it('are assigned to a cluster, its matching members, except excluded ones', async () => {
    const { cluster_id: id, previews } = await largest();
    const ids = previews.map(({ media_id: each }) => each);
    expect(ids.length).toBeGreaterThanOrEqual(6);
    const whole = await make('whole');
    expect(await assign(whole, cluster(id))).toBe(ids.length);
    expect(await assign(whole, media(...ids))).toBe(0);
    const but = await make('all but two');
    const excluded = { exclude_media_ids: [ids[0], ids[1], randomUUID()] };
    expect(await assign(but, cluster(id, excluded))).toBe(ids.length - 2);
    expect(await assign(but, cluster(id), media(ids[2]!))).toBe(2);
    const filtered = await make('filtered');
    const filters = { cluster_filters: { entity_type: 'IMAGES', labels: ['disc'] } };
    expect(await assign(filtered, cluster(id, filters))).toBe(3);
    expect(await assign(filtered, cluster(id, { cluster_filters: { labels: ['none'] } }))).toBe(0);
    expect(await itemsOf(filtered)).toBe(3);
  });

  it('are assigned to a cluster that is given several times, except members excluded each time', async () => {
    const { cluster_id: id, previews } = await largest();
    const ids = previews.map(({ media_id: each }) => each);
    const without = (...left: string[]) => cluster(id, { exclude_media_ids: left });
    const tag = await make('several times');
    expect(await assign(tag, without(ids[0]!, ids[1]!), without(ids[1]!, ids[2]!, ids[2]!))).toBe(ids.length - 1);
    expect(await assign(tag, without(ids[2]!), without(ids[0]!))).toBe(1);
  });

  it('evaluate the same filters of a thousand clusters once', async () => {
    const { cluster_id: id } = await largest();
    const matching = jest.spyOn(running.app.get(SearchEngine), 'matching');
    const filters = { cluster_filters: { vql: [{ labels: { op: 'is', value: ['disc'] } }] } };
    const items = Array.from({ length: 1_000 }, () => cluster(id, filters));
    expect(await assign(await make('filtered once'), ...items)).toBe(3);
    expect(matching).toHaveBeenCalledTimes(1);
    matching.mockRestore();
  });

  it('are assigned to groups of duplicates of a few similarities in one request', async () => {
    const similarities = Array.from({ length: 11 }, (_, at) => (90 + at) / 100);
    const groups = await Promise.all(similarities.map((each) => explore(`duplicate_threshold=${each}`)));
    const items = groups.map(([group]) => cluster(group!.cluster_id));
    const tag = await make('similarities');
    expect(await assign(tag, ...items.slice(1))).toBeGreaterThanOrEqual(6);
    expect(await api.must(400, 'POST', pathOf(`/${tag.id}/assign`), { media_selection: items })).toEqual({
      detail: 'The selection names groups of near duplicates at 11 similarities: name those of at most 10',
    });
  });

  it('are assigned to a group of duplicates', async () => {
    const [group] = await explore('duplicate_threshold=1');
    expect(await assign(await make('copies'), cluster(group!.cluster_id))).toBe(6);
  });

  it('are assigned to objects, and to a video without its frames', async () => {
    const [objects, videos] = [await explore('entity_type=OBJECTS&threshold=4'), await explore('entity_type=VIDEOS')];
    const tag = await make('others');
    expect(await assign(tag, ...objects.map((each) => cluster(each.cluster_id)))).toBe(2);
    if (!(await hasVideoSupport())) return;
    expect(videos[0]!.n_frames).toBeGreaterThan(0);
    expect(await assign(tag, cluster(videos[0]!.cluster_id))).toBe(1);
    expect(await assign(tag, media(videos[0]!.previews[0]!.media_id))).toBe(0);
  });

  it('are searched and shown in their current state', async () => {
    const [first, second] = await images();
    const tag = await make('shown');
    const found = async (query: string): Promise<unknown[]> =>
      (await explore(`threshold=4&${query}`))
        .flatMap(({ previews }) => previews)
        .map((each) => each.user_tags?.[tag.id]);
    expect(await found(`tags=[${tag.id}]`)).toEqual([]);
    await assign(tag, media(first!, second!));
    expect(await found(`tags=[${tag.id}]`)).toEqual(Array(2).fill({ name: 'shown', count: 1 }));
    await api.must(200, 'PATCH', pathOf(`/${tag.id}`), { name: 'renamed' });
    expect(await found(`tags=[${tag.id}]`)).toEqual(Array(2).fill({ name: 'renamed', count: 1 }));
    await change('unassign', tag, media(first!));
    expect(await found(`tags=[${tag.id}]`)).toEqual([{ name: 'renamed', count: 1 }]);
    expect(await found('tags=untagged')).not.toContainEqual({ name: 'renamed', count: 1 });
    await api.must(204, 'DELETE', pathOf(`/${tag.id}`));
    expect(await found(`tags=[${tag.id}]`)).toEqual([]);
  });

  it('are removed from all items when deleted', async () => {
    const [first] = await images();
    const [doomed, kept] = [await make('doomed'), await make('kept')];
    await assign(doomed, media(first!));
    await assign(kept, media(first!));
    await api.must(204, 'DELETE', pathOf(`/${doomed.id}`));
    const { pointer } = await running.app.get(DatasetReader).get(dataset);
    const assignments = await running.app.get(TagAssignmentsCache).open(pointer!);
    expect(assignments.tagIds).toContain(kept.id);
    expect(assignments.tagIds).not.toContain(doomed.id);
    expect(await itemsOf(kept)).toBe(1);
  });

  it('are all assigned by concurrent requests', async () => {
    const ids = await images();
    const tags = await Promise.all(['one', 'two', 'three'].map((name) => make(`at once ${name}`)));
    const counts = await Promise.all(tags.flatMap((tag) => ids.map((id) => assign(tag, media(id)))));
    expect(counts).toEqual(counts.map(() => 1));
    for (const tag of tags) expect(await itemsOf(tag)).toBe(PICTURES);
  });

  it('are all assigned by concurrent processes', async () => {
    const ids = await images();
    const tag = await make('processes');
    const get = <T>(type: abstract new (...values: never[]) => T): T => running.app.get<T>(type);
    const processes = ids.map(() => {
      const changes = new AssignmentChanges(
        get(TransactionRunner),
        get(DatasetReader),
        get(DatasetWriter),
        get(TagAssignmentsCache),
        get(TagFiles),
      );
      return new AssignTagUseCase(get(TagRepository), get(SelectionResolver), changes);
    });
    const assigning = ids.map((id, i) =>
      processes[i]!.run('assign_tag', dataset, tag.id, [{ kind: 'media', mediaIds: [id] }]),
    );
    expect(await Promise.all(assigning)).toEqual(ids.map(() => 1));
    expect(await itemsOf(tag)).toBe(PICTURES);
  });

  it('are unchanged if interrupted before the pointer changes, and written files are swept', async () => {
    const ids = await images();
    const tag = await make('cut off');
    await assign(tag, media(ids[0]!));
    const sweep = running.app.get(TagFileSweep);
    const now = Date.now();
    await sweep.sweep(new Date(now));
    await sweep.sweep(new Date(now + DAY_MS));
    expect(await files()).toEqual(await pointedAt());
    await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''cut off''; END'`);
    await sql('CREATE TRIGGER refuse BEFORE UPDATE OF tags_file ON dataset FOR EACH ROW EXECUTE FUNCTION refuse()');
    const before = await pointedAt();
    const assigning = running.app
      .get(AssignTagUseCase)
      .run('assign_tag', dataset, tag.id, [{ kind: 'media', mediaIds: [ids[1]!] }]);
    await expect(assigning).rejects.toThrow('cut off');
    await expect(running.app.get(DeleteTagUseCase).delete(dataset, tag.id)).rejects.toThrow('cut off');
    expect(await itemsOf(tag)).toBe(1);
    expect(await pointedAt()).toEqual(before);
    expect(await files()).toHaveLength(3);
    await sql('DROP TRIGGER refuse ON dataset');
    expect(await sweep.sweep(new Date(now + DAY_MS))).toBe(0);
    expect(await files()).toHaveLength(3);
    expect(await sweep.sweep(new Date(now + 2 * DAY_MS))).toBe(2);
    expect(await files()).toEqual(before);
    expect(await assign(tag, media(ids[1]!))).toBe(1);
  });

  it('can be changed in READY and PARTIAL INDEX only, and read in any status', async () => {
    const [id] = await images();
    const tag = await make('status');
    await setStatus('PARTIAL INDEX');
    expect(await assign(tag, media(id!))).toBe(1);
    await setStatus('READ ONLY');
    const refusals = [
      await api.ask('POST', pathOf(), { name: 'more' }),
      await api.ask('PATCH', pathOf(`/${tag.id}`), { name: 'more' }),
      await api.ask('DELETE', pathOf(`/${tag.id}`)),
      await api.ask('POST', pathOf(`/${tag.id}/assign`), { media_selection: [media(id!)] }),
      await api.ask('POST', pathOf(`/${tag.id}/unassign`), { media_selection: [media(id!)] }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
    expect(refusals[3]!.body).toEqual({
      detail: "Operation 'assign_tag' needs a dataset that is READY or PARTIAL INDEX; this one is READ ONLY",
    });
    expect(await itemsOf(tag)).toBe(1);
    await setStatus('READY');
  });

  it('are limited to their dataset', async () => {
    const folder = join(running.folder, 'other');
    await writePicture(join(folder, '0.jpg'), 0);
    const other = await api.indexed('Other', folder);
    const foreign = await make('kept', other);
    const [id] = await images();
    for (const verb of ['assign', 'unassign'])
      await api.must(404, 'POST', pathOf(`/${foreign.id}/${verb}`), { media_selection: [media(id!)] });
    const own = await make('own');
    const body = { media_selection: [cluster((await largest()).cluster_id)] };
    await api.must(404, 'POST', pathOf(`/${own.id}/assign`), { media_selection: [media(randomUUID())] });
    expect(await api.must(404, 'POST', pathOf(`/${foreign.id}/assign`, other), body)).toEqual({
      detail: `Cluster ${body.media_selection[0]!.payload.cluster_id} not found`,
    });
    await api.must(204, 'DELETE', `/api/v1/dataset/${other}`);
    expect(await sql('SELECT 1 FROM tag WHERE id = $1', [foreign.id])).toEqual([]);
  });

  it('are assigned to a hundred thousand ids in one request', async () => {
    const tag = await make('many');
    const known = await images();
    const ids = [...known, ...Array.from({ length: 100_000 - known.length }, () => randomUUID())];
    expect(await api.must(404, 'POST', pathOf(`/${tag.id}/assign`), { media_selection: [media(...ids)] })).toEqual({
      detail: `Media ${ids[known.length]!} not found`,
    });
    const excluded = { exclude_media_ids: ids };
    const { cluster_id: id, previews } = await largest();
    const left = previews.filter(({ media_id: each }) => !known.includes(each));
    expect(await assign(tag, cluster(id, excluded))).toBe(left.length);
  });
});
