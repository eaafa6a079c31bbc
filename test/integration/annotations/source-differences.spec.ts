import { Additions } from '../../support/additions';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

const PICTURES = [0, 1, 2, 3];

describe('the annotations that differ between two states', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let client: SnapshotClient;
  let folder: string;

  beforeAll(async () => {
    client = new SnapshotClient(additions.api);
    folder = await additions.writeFolder('Pictures', PICTURES);
  });

  const send = (id: string, source: string, mode: string, annotations: readonly object[]): Promise<unknown> =>
    additions.api.must(200, 'POST', `/api/v1/dataset/${id}/annotations`, { source, mode, annotations });
  const one = (file: number, id: string, rest: object = {}) => ({
    file_name: `${file}.jpg`,
    id,
    label: 'cat',
    ...rest,
  });
  /** Without the media. */
  const counted = async (id: string, snapshot: string, query = ''): Promise<object[]> =>
    (await client.diff(id, snapshot, query)).annotations.map(({ media, ...counts }) => ({
      ...counts,
      media: media.count,
    }));
  const counts = (source: string, added: number, removed: number, changed: number, media: number) => ({
    ...{ source, added, removed, changed, media },
  });

  it('are counted by source, with pages of their media', async () => {
    const id = await additions.indexed('Sources', folder);
    const all = PICTURES.flatMap((file) => [one(file, 'a'), one(file, 'b', { confidence: 0.5 })]);
    await send(id, 'kept', 'add', all);
    await send(id, 'edited', 'add', all);
    await send(id, 'gone', 'add', all);
    const { snapshot_id: first } = await client.keep(id, 'first');
    expect(await counted(id, first)).toEqual([]);
    await send(id, 'edited', 'delete', [one(0, 'a')]);
    await send(id, 'edited', 'merge', [one(1, 'b', { confidence: 0.25 }), one(1, 'c'), one(2, 'a')]);
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${id}/annotation_sources/gone`);
    await send(id, 'new', 'add', [one(3, 'a', { attributes: { occluded: true } })]);
    const now = [counts('edited', 1, 1, 1, 2), counts('gone', 0, 8, 0, 4), counts('new', 1, 0, 0, 1)];
    expect(await counted(id, first)).toEqual(now);
    const { snapshot_id: second } = await client.keep(id, 'second');
    await send(id, 'new', 'merge', [one(3, 'a', { attributes: { occluded: false } })]);
    expect(await counted(id, second)).toEqual([counts('new', 0, 0, 1, 1)]);
    expect(await counted(id, second, `against=${first}`)).toEqual([
      ...[counts('edited', 1, 1, 1, 2), counts('gone', 8, 0, 0, 4), counts('new', 0, 1, 0, 1)],
    ]);
    const pages: string[] = [];
    for (const offset of [0, 3]) {
      const { annotations } = await client.diff(id, first, `limit=3&offset=${offset}`);
      pages.push(...annotations.find(({ source }) => source === 'gone')!.media.media_ids);
    }
    expect(pages.sort()).toEqual((await client.mediaIds(id)).sort());
    await client.restore(id, first);
    expect(await counted(id, first)).toEqual([]);
  });

  it('are none where the table was written anew, but for what people said and for media that are gone', async () => {
    const id = await additions.indexed('Tables', folder);
    const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    const annotate = async (annotations: readonly object[]): Promise<void> => {
      await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, { mode: 'add', annotations });
      await additions.api.untilStatus(id, ['READY']);
    };
    await annotate(
      [0, 1].map((file) => ({
        file_name: `${file}.jpg`,
        labels: ['cat'],
        objects: [{ label: 'ear', bounding_box: box }],
      })),
    );
    await send(id, 's', 'add', [one(0, 'a'), one(1, 'a')]);
    const { snapshot_id: before } = await client.keep(id, 'before');
    await additions.addFolder(id, await additions.writeFolder('More', [7, 8]), true);
    await additions.ended(id);
    expect((await client.diff(id, before)).added.count).toBe(2);
    expect(await counted(id, before)).toEqual([]);
    await annotate([
      { file_name: '2.jpg', labels: ['dog'] },
      { file_name: '1.jpg', labels: ['dog'] },
    ]);
    expect(await counted(id, before)).toEqual([counts('ground_truth', 2, 0, 0, 2)]);
    await send(id, 'ground_truth', 'add', [one(3, 'own', { shape: { type: 'box', x: 1, y: 2, width: 3, height: 4 } })]);
    expect(await counted(id, before)).toEqual([counts('ground_truth', 3, 0, 0, 3)]);
    const { media_id: removed } = (await client.previews(id)).find((each) => each.media_uri.includes('0.jpg'))!;
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/remove_media`, {
      media_selection: [{ type: 'media', payload: { media_ids: [removed] } }],
    });
    await additions.ended(id);
    expect(await counted(id, before)).toEqual([counts('ground_truth', 3, 2, 0, 3), counts('s', 0, 1, 0, 0)]);
  });
});
