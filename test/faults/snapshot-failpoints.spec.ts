import { SnapshotClient, type Tag } from '../support/snapshot-client';
import { runningHome } from '../support/running-home';
import { allOr } from './failpoints';

const PICTURES = 4;
const POINTS = allOr(['before-flip'], ['before-flip', 'after-flip']);

describe('the program, killed while it publishes the content of a snapshot', () => {
  const home = runningHome();
  let client: SnapshotClient;
  let dataset: string;
  let media: string[];
  let tag: Tag;
  let kept: string;
  const cloned = new Set<string>();

  beforeAll(async () => {
    client = new SnapshotClient(home().api);
    dataset = await home().indexed('Killed', PICTURES);
    media = await client.mediaIds(dataset);
    tag = await client.makeTag(dataset, 'then');
    await client.assign(dataset, tag, 'assign', media.slice(0, 2));
    kept = (await client.keep(dataset)).snapshot_id;
  });

  const dieOf = (failpoint: string, path: string): Promise<void> =>
    home().dieAt(failpoint, (api) => api.must(202, 'POST', `/api/v1/dataset/${dataset}/snapshot/${path}`));

  it.each(POINTS)('restores completely after %s', async (failpoint) => {
    await home().api.must(200, 'PATCH', `/api/v1/dataset/${dataset}/tags/${tag.id}`, { name: 'now' });
    await client.assign(dataset, tag, 'assign', media);
    await client.keep(dataset);
    await dieOf(failpoint, `${kept}/restore`);
    await home().api.untilStatus(dataset, ['READY']);
    expect(await client.tags(dataset)).toEqual([{ id: tag.id, name: 'then', n_items: 2 }]);
    expect(await client.taggedWith(dataset, tag)).toEqual(media.slice(0, 2));
    expect(await client.mediaIds(dataset)).toEqual(media);
    const current = (await client.list(dataset)).filter((each) => each.is_current);
    expect(current).toMatchObject([{ snapshot_id: kept, is_restoring: false }]);
    const [task] = await client.tasks(dataset, 'SNAPSHOT_RESTORE');
    expect(task).toMatchObject({ status: 'COMPLETED' });
  });

  it.each(POINTS)('clones completely, once, after %s', async (failpoint) => {
    const clones = async (): Promise<string[]> =>
      (await home().api.must<{ id: string; source_dataset_id: string | null }[]>(200, 'GET', '/api/v1/datasets'))
        .filter((each) => each.source_dataset_id === dataset)
        .map(({ id }) => id);
    await dieOf(failpoint, `${kept}/clone`);
    const made = (await clones()).filter((id) => !cloned.has(id));
    expect(made).toHaveLength(1);
    cloned.add(made[0]!);
    await home().api.untilStatus(made[0]!, ['READY']);
    expect(await client.mediaIds(made[0]!)).toEqual(media);
    expect(await client.tags(made[0]!)).toEqual([{ id: tag.id, name: 'then', n_items: 2 }]);
    expect(await client.list(made[0]!)).toMatchObject([{ reason: 'clone', is_current: true }]);
    expect(await client.tasks(made[0]!, 'SNAPSHOT_CLONE')).toMatchObject([{ status: 'COMPLETED' }]);
  });
});
