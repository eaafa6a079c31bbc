import { formOf } from '../../support/api-client';
import { ReviewClient } from '../../support/review-client';
import { ReviewWorld } from '../../support/review-world';
import { waitUntil } from '../../support/wait-until';

const QUESTION = { question: { type: 'choose', options: ['boat', 'house'] } };
const answer = { verdict: 'answer', choice: 'boat' };

describe('a review queue that is fed by a view', () => {
  let world: ReviewWorld;

  beforeAll(async () => {
    world = await ReviewWorld.start();
  });

  afterAll(() => world.close());

  const viewOf = async (name: string, query: string): Promise<string> => {
    const path = `/api/v1/dataset/${world.dataset}/views?${query}`;
    return (await world.people.owner.api.must<{ id: string }>(200, 'POST', path, formOf({ name }))).id;
  };
  const make = (name: string, viewId: string): Promise<ReviewClient> =>
    ReviewClient.make(world.people.owner.api, world.dataset, { name, view_id: viewId, ...QUESTION });
  const unlabeled = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', value: ['unlabeled'] } }]));
  const add = async (name: string, seeds: readonly number[]): Promise<void> => {
    const s3_uri = await world.additions.writeFolder(name, seeds);
    const { api } = world.people.owner;
    await api.must(202, 'POST', `/api/v1/dataset/${world.dataset}/add_media`, formOf({ s3_uri }));
    await api.untilStatus(world.dataset, ['READY', 'PARTIAL INDEX']);
  };
  const settled = async (queue: ReviewClient): Promise<void> =>
    waitUntil(async () => {
      const sql = `SELECT 1 FROM job_run WHERE type = 'feed-review-queue' AND finished_at IS NULL
        AND payload ->> 'queueId' = $1`;
      return (await world.additions.sql(sql, [queue.queue])).length === 0;
    });

  it('gets the new matches of each batch once, and is open again', async () => {
    const viewId = await viewOf('Without labels', `entity_type=IMAGES&vql=${unlabeled}`);
    const other = await viewOf('Labelled boat', 'entity_type=IMAGES&labels=[boat]');
    const queue = await make('Fed', viewId);
    const empty = await make('Empty', other);
    await Promise.all([settled(queue), settled(empty)]);
    expect(await empty.progress()).toMatchObject({ n_items: 0, view_id: other, feed_error: null });
    expect(await empty.next()).toEqual({ items: [], finished: true });
    const before = await queue.items();
    expect(before).toHaveLength(12);
    for (;;) {
      const { items } = await queue.next(20);
      if (items.length === 0) break;
      for (const { item_id: id } of items) await queue.decide(id, answer);
    }
    expect(await queue.progress()).toMatchObject({ n_left: 0, finished_at: expect.any(String) as string });

    await add('More', [20, 21, 22]);
    await waitUntil(async () => (await queue.progress()).n_items === 15);
    await settled(queue);
    expect(await queue.progress()).toMatchObject({ n_items: 15, n_left: 3, finished_at: null, feed_error: null });
    const all = await queue.items();
    expect(all.map(({ position }) => position)).toEqual([...Array(15).keys()]);
    expect(new Set(all.map(({ media_id: id }) => id)).size).toBe(15);
    expect(all.slice(0, 12).map(({ item_id: id }) => id)).toEqual(before.map(({ item_id: id }) => id));
    expect((await queue.next(5)).items).toHaveLength(3);
    expect((await empty.progress()).n_items).toBe(0);
  });

  it('leaves out what is too much, and says so', async () => {
    const viewId = await viewOf('All', 'entity_type=IMAGES');
    const queue = await make('Full', viewId);
    await settled(queue);
    await world.additions.sql('UPDATE review_queue SET items = 100000 - 1 WHERE id = $1', [queue.queue]);
    await add('Rest', [30, 31]);
    await waitUntil(async () => (await queue.progress()).feed_error !== null);
    expect(await queue.progress()).toMatchObject({
      n_items: 100_000,
      feed_error: 'Matches of the view were left out: a queue has at most 100000 items.',
    });
  });

  it('stays as it is once the view is deleted', async () => {
    const viewId = await viewOf('Passing', 'entity_type=IMAGES');
    const queue = await make('Left alone', viewId);
    await settled(queue);
    const { n_items: items } = await queue.progress();
    await world.people.owner.api.must(200, 'DELETE', `/api/v1/dataset/${world.dataset}/views/${viewId}`);
    expect(await queue.progress()).toMatchObject({ n_items: items, view_id: null });
  });

  it('needs a view of images', async () => {
    const { api } = world.people.owner;
    const path = `/api/v1/dataset/${world.dataset}/review_queues`;
    const asked = (view_id: string) => api.ask('POST', path, { name: 'No', view_id, ...QUESTION });
    expect(await asked(await viewOf('Objects', 'entity_type=OBJECTS'))).toMatchObject({
      status: 400,
      body: { detail: 'The view is of objects or videos. Only a view of images can feed a review queue.' },
    });
    expect(await asked('00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
      body: { detail: 'View not found' },
    });
  });
});
