import { SnapshotClient, type Tag } from '../support/snapshot-client';
import { runningHome } from '../support/running-home';
import { allOr, SUBSET_FAILPOINTS } from './failpoints';

const PICTURES = 6;
const few = ['generation-copied', 'before-flip'] as const;

describe('the program, killed while it copies or removes media', () => {
  const home = runningHome();
  let client: SnapshotClient;
  let id: string;
  let media: string[];
  let tag: Tag;

  beforeAll(async () => {
    client = new SnapshotClient(home().api);
    id = await home().indexed('Killed', PICTURES);
    media = await client.mediaIds(id);
    tag = await client.makeTag(id, 'first');
    await client.assign(id, tag, 'assign', media.slice(0, 3));
  });

  const choice = (...ids: string[]) => ({ media_selection: [{ type: 'media', payload: { media_ids: ids } }] });
  const dieOf = (point: (typeof SUBSET_FAILPOINTS)[number], verb: string, body: object): Promise<void> =>
    home().dieAt(point, (api) => api.must(202, 'POST', `/api/v1/dataset/${id}/${verb}`, body));
  const copies = async (): Promise<string[]> =>
    (await home().api.must<{ id: string; source_dataset_id: string | null }[]>(200, 'GET', '/api/v1/datasets'))
      .filter((each) => each.source_dataset_id === id)
      .map((each) => each.id);

  it.each(allOr(few, SUBSET_FAILPOINTS))('at %s, resumes and makes one copy', async (point) => {
    const before = new Set(await copies());
    await dieOf(point, 'copy', { keep: 'others', ...choice(media[0]!, media[4]!) });
    await home().api.untilStatus(id, ['READY']);
    const made = (await copies()).filter((each) => !before.has(each));
    expect(made).toHaveLength(1);
    await home().api.untilStatus(made[0]!, ['READY']);
    expect(await client.mediaIds(made[0]!)).toEqual([1, 2, 3, 5].map((at) => media[at]).sort());
    expect(await client.taggedWith(made[0]!, tag)).toEqual(media.slice(1, 3));
    expect((await client.tasks(id, 'DATASET_COPY'))[0]).toMatchObject({ status: 'COMPLETED' });
    expect(await client.mediaIds(id)).toEqual(media);
  });

  it.each(allOr(few, SUBSET_FAILPOINTS))('at %s, resumes and removes what was chosen, once', async (point) => {
    await dieOf(point, 'remove_media', choice(media[1]!));
    await home().api.untilStatus(id, ['READY']);
    expect(await client.mediaIds(id)).toEqual(media.filter((_, at) => at !== 1));
    expect(await client.taggedWith(id, tag)).toEqual([media[0], media[2]]);
    expect((await client.tasks(id, 'MEDIA_REMOVAL'))[0]).toMatchObject({ status: 'COMPLETED' });
    await home().api.must(202, 'POST', `/api/v1/dataset/${id}/sync`);
    await home().api.untilStatus(id, ['READY']);
    expect(await client.mediaIds(id)).toHaveLength(PICTURES - 1);
    const [snapshot] = (await client.list(id)).filter(({ reason }) => reason === 'removal');
    await client.restore(id, snapshot!.snapshot_id);
    expect(await client.mediaIds(id)).toEqual(media);
    expect(await client.taggedWith(id, tag)).toEqual(media.slice(0, 3));
  });
});
