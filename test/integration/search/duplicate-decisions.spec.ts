import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { ApiClient } from '../../support/api-client';
import { pictureBytes } from '../../support/pictures';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

interface Member {
  readonly media_id: string;
  readonly original_uri: string;
  readonly role: 'KEPT' | 'REMOVED';
  readonly size_bytes: number;
  readonly similarity: number | null;
  readonly added_at: string | null;
  readonly user_tags: Record<string, { name: string }> | null;
}

interface Groups {
  readonly total_groups: number;
  readonly open_groups: number;
  readonly groups: { readonly group_id: string; readonly n_members: number; readonly members: Member[] }[];
}

interface Recorded {
  readonly batch_id: string;
  readonly decisions: number;
  readonly kept: number;
  readonly removed: number;
}

interface Decisions {
  readonly total: number;
  readonly decisions: {
    readonly decision_id: string;
    readonly batch_id: string;
    readonly kind: string;
    readonly n_removed: number;
    readonly members: Member[];
  }[];
}

const PICTURES = 6;
const TO_REMOVE = 'to remove';

describe('decisions about near duplicates', () => {
  const running = runningApp();
  let api: ApiClient;
  let client: SnapshotClient;
  const additions = new Additions(running);
  let source: string;

  const indexed = (name: string): Promise<string> => client.indexed(name, source);
  const pathOf = (id: string, rest = ''): string => `/api/v1/dataset/${id}/duplicates${rest}`;
  const groupsOf = (id: string, query = ''): Promise<Groups> =>
    api.must(200, 'GET', pathOf(id, `?duplicate_threshold=1&${query}`));
  const namesOf = ({ groups }: Groups): string[][] =>
    groups.map(({ members }) => members.map(({ original_uri: uri }) => uri));
  const decide = (id: string, keep: readonly string[], remove: readonly string[], more = {}): Promise<Recorded> =>
    api.must(200, 'POST', pathOf(id, '/decisions'), { decisions: [{ keep, remove }], ...more });
  const byRule = (id: string, body: object): Promise<Recorded> =>
    api.must(200, 'POST', pathOf(id, '/decisions/by_rule'), { duplicate_threshold: 1, ...body });
  const undo = async (id: string, query: string): Promise<number> =>
    (await api.must<{ count: number }>(200, 'DELETE', pathOf(id, `/decisions?${query}`))).count;
  const decisionsOf = (id: string): Promise<Decisions> => api.must(200, 'GET', pathOf(id, '/decisions'));
  const itemsOf = async (id: string, name: string): Promise<number> =>
    (await client.tags(id)).find((tag) => tag.name === name)?.n_items ?? 0;
  /** The ids of the copies of picture 0, by path. */
  const copiesOfZero = async (id: string): Promise<Record<string, string>> => {
    const { groups } = await groupsOf(id, 'limit=100');
    const group = groups.find(({ members }) => members.some(({ original_uri: uri }) => uri === 'raw/0.jpg'))!;
    return Object.fromEntries(group.members.map(({ original_uri: uri, media_id: media }) => [uri, media]));
  };
  /** Adds a picture and reindexes the dataset. */
  const grow = async (id: string, name: string, seed: number): Promise<void> => {
    await additions.addUploads(id, [{ name, bytes: await pictureBytes(seed) }]);
    await api.untilStatus(id, ['PARTIAL INDEX']);
    await api.must(202, 'POST', `/api/v1/dataset/${id}/reindex`);
    await api.untilStatus(id, ['READY']);
  };

  beforeAll(async () => {
    api = new ApiClient(running.url);
    client = new SnapshotClient(api);
    source = join(running.folder, 'source');
    for (const folder of ['raw', 'edited']) await mkdir(join(source, folder), { recursive: true });
    for (let i = 0; i < PICTURES; i += 1) await writeFile(join(source, 'raw', `${i}.jpg`), await pictureBytes(i));
    for (const [from, to] of [
      ['0.jpg', 'edited/0.jpg'],
      ['0.jpg', 'edited/0 (1).jpg'],
      ['1.jpg', 'raw/1 copy.jpg'],
      ['2.jpg', 'edited/2 copy.jpg'],
    ] as const)
      await copyFile(join(source, 'raw', from), join(source, to));
    await writeFile(
      join(source, 'image_annotations.csv'),
      'filename,label,caption\nedited/0.jpg,disc,a round disc\nraw/1.jpg,square,\n',
    );
  });

  it('show groups with the members that a rule keeps, and the effect of a rule on all groups', async () => {
    const id = await indexed('Shown');
    const found = await groupsOf(id);
    expect(found).toMatchObject({ total_groups: 3, open_groups: 3, total_pages: 1, current_page: 0 });
    expect(namesOf(found)[0]).toEqual(['raw/0.jpg', 'edited/0.jpg', 'edited/0 (1).jpg']);
    expect(namesOf(found)).toContainEqual(['raw/1.jpg', 'raw/1 copy.jpg']);
    const [{ members }] = found.groups as [Groups['groups'][0]];
    expect(members.map(({ role }) => role)).toEqual(['KEPT', 'REMOVED', 'REMOVED']);
    expect(members.map(({ similarity }) => similarity)).toEqual([1, 1, 1]);
    expect(members[0]!.added_at).toMatch(/^\d{4}-/);
    const folders = `rule=folder&folders=${encodeURIComponent('["/edited/"]')}`;
    expect(namesOf(await groupsOf(id, folders))).toContainEqual(['edited/2 copy.jpg', 'raw/2.jpg']);
    const overview = await api.must(200, 'GET', pathOf(id, `/overview?duplicate_threshold=1&${folders}`));
    expect(overview).toMatchObject({ total_groups: 3, open_groups: 3, kept: 3, removed: 4 });
    const all = await api.must(200, 'GET', pathOf(id, '/overview?duplicate_threshold=1&rule=all'));
    expect(all).toMatchObject({ kept: 7, removed: 0, removed_bytes: 0 });
  });

  it('filter groups by folder, label and tag, in pages', async () => {
    const id = await indexed('Narrowed');
    const vql = (filter: object): string => `vql=${encodeURIComponent(JSON.stringify([filter]))}`;
    const inEdited = await groupsOf(id, vql({ folders: { op: 'one_of', value: ['edited'] } }));
    expect(inEdited.total_groups).toBe(2);
    expect(inEdited.groups[0]!.n_members).toBe(3);
    expect(namesOf(await groupsOf(id, 'labels=[square]'))).toEqual([['raw/1.jpg', 'raw/1 copy.jpg']]);
    const pages = [await groupsOf(id, 'limit=2'), await groupsOf(id, 'limit=2&page_number=1')];
    expect(pages.map(({ groups }) => groups.length)).toEqual([2, 1]);
    expect(new Set(pages.flatMap(namesOf).flat()).size).toBe(7);
  });

  it('tag the dropped media, transfer their tags, and can be undone', async () => {
    const id = await indexed('Tagged');
    const copies = await copiesOfZero(id);
    const checked = await client.makeTag(id, 'checked');
    await client.assign(id, checked, 'assign', [copies['edited/0.jpg']!]);
    const [keep, ...remove] = [copies['raw/0.jpg']!, copies['edited/0.jpg']!, copies['edited/0 (1).jpg']!];
    const options = { tag: TO_REMOVE, carry_tags: true };
    const { batch_id: batch } = await decide(id, [keep], remove, options);
    expect(await itemsOf(id, TO_REMOVE)).toBe(2);
    expect(await client.taggedWith(id, checked)).toEqual([keep, remove[0]].sort());
    expect(await groupsOf(id)).toMatchObject({ total_groups: 3, open_groups: 2 });
    const { total, decisions } = await decisionsOf(id);
    expect(total).toBe(1);
    expect(decisions[0]).toMatchObject({ batch_id: batch, kind: 'SETTLED', n_removed: 2 });
    expect(decisions[0]!.members.map(({ role }) => role)).toEqual(['KEPT', 'REMOVED', 'REMOVED']);
    await api.must(409, 'POST', pathOf(id, '/decisions'), { decisions: [{ keep: remove, remove: [keep] }] });
    expect(await undo(id, `decision_id=${decisions[0]!.decision_id}`)).toBe(1);
    expect(await itemsOf(id, TO_REMOVE)).toBe(0);
    expect((await groupsOf(id)).open_groups).toBe(3);
    await api.must(404, 'DELETE', pathOf(id, `/decisions?batch_id=${batch}`));
  });

  it('by a rule apply to one or all open groups, and are undone together', async () => {
    const id = await indexed('By rule');
    const [{ group_id: group }] = (await groupsOf(id)).groups as [Groups['groups'][0]];
    expect(await byRule(id, { group_id: group, rule: 'all' })).toMatchObject({ decisions: 1, kept: 3, removed: 0 });
    await api.must(404, 'POST', pathOf(id, '/decisions/by_rule'), { duplicate_threshold: 1, group_id: group });
    const recorded = await byRule(id, { rule: 'largest', tag: TO_REMOVE });
    expect(recorded).toMatchObject({ decisions: 2, kept: 2, removed: 2 });
    expect((await groupsOf(id)).open_groups).toBe(0);
    expect(await itemsOf(id, TO_REMOVE)).toBe(2);
    expect(await byRule(id, {})).toMatchObject({ decisions: 0 });
    expect(await undo(id, `batch_id=${recorded.batch_id}`)).toBe(2);
    expect((await groupsOf(id)).open_groups).toBe(2);
    expect((await decisionsOf(id)).decisions.map(({ kind }) => kind)).toEqual(['DIFFERENT']);
  });

  it('survive reindexing, restoring and cloning, and are deleted with the dataset', async () => {
    const id = await indexed('Lasting');
    const before = await client.keep(id);
    const copies = await copiesOfZero(id);
    await decide(id, Object.values(copies), []);
    const { batch_id: batch } = await byRule(id, { rule: 'oldest', tag: TO_REMOVE });
    await grow(id, 'another.jpg', 50);
    expect(await groupsOf(id)).toMatchObject({ total_groups: 3, open_groups: 0 });
    expect(await itemsOf(id, TO_REMOVE)).toBe(2);
    const after = await client.keep(id);
    await client.restore(id, before.snapshot_id);
    expect((await groupsOf(id)).open_groups).toBe(0);
    const clone = await client.clone(id, after.snapshot_id);
    expect((await groupsOf(clone.id)).open_groups).toBe(0);
    expect(await undo(clone.id, `batch_id=${batch}`)).toBe(2);
    expect((await groupsOf(clone.id)).open_groups).toBe(2);
    expect((await groupsOf(id)).open_groups).toBe(0);
    const count = async (): Promise<number> => {
      const [row] = await running.database.dataSource.query<{ n: number }[]>(
        'SELECT count(*)::int AS n FROM duplicate_decision WHERE dataset_id = $1',
        [id],
      );
      return row!.n;
    };
    expect(await count()).toBe(3);
    await api.must(204, 'DELETE', `/api/v1/dataset/${id}`);
    expect(await count()).toBe(0);
  });

  it('reopen a group with a new member', async () => {
    const id = await indexed('Grown');
    const copies = await copiesOfZero(id);
    const [first, second, third] = Object.values(copies);
    await decide(id, [first!, second!], []);
    expect((await groupsOf(id)).open_groups).toBe(3);
    await decide(id, [first!, third!], []);
    await decide(id, [second!, third!], []);
    expect((await groupsOf(id)).open_groups).toBe(2);
    await grow(id, '0.jpg', 0);
    const found = await groupsOf(id, 'rule=oldest');
    expect(found.open_groups).toBe(3);
    expect(namesOf(found)[0]!.at(-1)).toBe('0.jpg');
  });

  it('list the dropped media as CSV, and transfer labels and captions in a task', async () => {
    const id = await indexed('Carried');
    const copies = await copiesOfZero(id);
    const keep = copies['raw/0.jpg']!;
    await decide(id, [keep], [copies['edited/0.jpg']!, copies['edited/0 (1).jpg']!]);
    const csv = await (await fetch(`${running.url}${pathOf(id, '/removals.csv')}`)).text();
    const size = (await pictureBytes(0)).length;
    const lines = csv.trimEnd().split('\n');
    expect(lines[0]).toBe('file_path,media_id,size_bytes,kept_path,kept_media_id,decided_at,decided_by');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 5).join(','))).toEqual(
      ['edited/0.jpg', 'edited/0 (1).jpg'].map((path) => `${path},${copies[path]!},${size},raw/0.jpg,${keep}`),
    );
    const script = await (await fetch(`${running.url}${pathOf(id, '/removals.sh')}`)).text();
    const told = script.split('\n').filter((line) => line.startsWith('delete_file '));
    expect(told).toEqual(
      ['edited/0.jpg', 'edited/0 (1).jpg'].map(
        (path) => `delete_file '${join(source, path)}' ${size} '${join(source, 'raw/0.jpg')}'`,
      ),
    );
    const carried = await api.must<{ task_id: string; media: number }>(202, 'POST', pathOf(id, '/carry_annotations'));
    expect(carried).toMatchObject({ media: 1, has_more: false });
    await api.untilStatus(id, ['READY']);
    const media = await api.must(200, 'GET', `/api/v1/dataset/${id}/media/${keep}`);
    expect(media).toMatchObject({ caption: 'a round disc', labels: { disc: 1 } });
    expect(await api.must(202, 'POST', pathOf(id, '/carry_annotations'))).toMatchObject({ task_id: null, media: 0 });
  });

  it('are made once by concurrent users', async () => {
    const id = await indexed('At once');
    const answers = await Promise.all(
      ['largest', 'oldest', 'sharpest'].map((rule) =>
        api.ask('POST', pathOf(id, '/decisions/by_rule'), { duplicate_threshold: 1, rule }),
      ),
    );
    expect(answers.map(({ body }) => (body as Recorded).decisions).sort()).toEqual([0, 0, 3]);
    expect((await decisionsOf(id)).total).toBe(3);
  });
});
