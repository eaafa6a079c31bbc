import { ReviewClient, type QueuedItem } from '../../support/review-client';
import { ReviewWorld } from '../../support/review-world';

const LABELS = { question: { type: 'labels', options: ['boat', 'house'] } };

describe('review queues', () => {
  let world: ReviewWorld;
  let names = 0;

  beforeAll(async () => {
    world = await ReviewWorld.start();
  });

  afterAll(() => world.close());

  const make = (body: object): Promise<ReviewClient> =>
    ReviewClient.make(world.people.owner.api, world.dataset, {
      name: `Queue ${names++}`,
      query: {},
      ...LABELS,
      ...body,
    });

  const mediaOf = (items: readonly QueuedItem[]): string[] => items.map(({ media_id: id }) => id);

  it('have the items of a search in its order, or in a random one that the seed decides', async () => {
    const sorted = await make({ query: { sort: 'file_size', limit: 5 } });
    const again = await make({ query: { sort: '-file_size' } });
    const all = mediaOf(await again.items());
    expect(all).toHaveLength(12);
    expect(mediaOf(await sorted.items())).toEqual(all.toReversed().slice(0, 5));
    const random = async (seed: number) => mediaOf(await (await make({ query: { sort: 'random' }, seed })).items());
    const one = await random(1);
    expect(await random(1)).toEqual(one);
    expect(await random(2)).not.toEqual(one);
    expect(one.toSorted()).toEqual(all.toSorted());
    const given = all.slice(3, 6);
    expect(mediaOf(await (await make({ query: undefined, media_ids: given })).items())).toEqual(given);
  });

  it('hand each item to one person, and write the answer with the history of the queue', async () => {
    const queue = await make({ query: { limit: 3 } });
    const [ana, ben] = [queue.as(world.people.ana.api), queue.as(world.people.ben.api)];
    const first = (await ana.next(2)).items;
    expect(first.map(({ position }) => position)).toEqual([0, 1]);
    expect((await ana.next(2)).items).toEqual(first);
    const other = await ben.next(2);
    expect(other.items.map(({ position }) => position)).toEqual([2]);
    expect(await queue.as(world.people.cleo.api).next()).toEqual({ items: [], finished: false });
    expect(await queue.progress()).toMatchObject({ n_left: 3, n_leased: 3 });
    const { item_id: id, media_id: media } = first[0]!;
    const decided = await ana.decide(id, { verdict: 'answer', labels: ['house', 'boat', 'boat'] });
    expect(decided).toMatchObject({ state: 'done', answer: { labels: ['boat', 'house'] } });
    expect(await world.labels(media)).toEqual(['boat', 'house']);
    expect(await ana.decide(id, { verdict: 'answer', labels: ['boat', 'house'] })).toEqual(decided);
    expect(await ana.tryToDecide(id, { verdict: 'answer', labels: [] })).toMatchObject({ status: 409 });
    expect(await ben.tryToDecide(id, { verdict: 'answer', labels: ['boat'] })).toMatchObject({ status: 409 });
    expect(await ben.tryToDecide(first[1]!.item_id, { verdict: 'answer', labels: ['boat'] })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Somebody else has this item') as string },
    });
    const history = `/api/v1/dataset/${world.dataset}/annotations/history?queue_id=${queue.queue}`;
    const { changes } = await world.people.owner.api.must<{ changes: object[] }>(200, 'GET', history);
    expect(changes).toMatchObject([{ change_id: decided.change_id, created_by: 'ana@example.com', added: 2 }]);
    await ana.decide(first[1]!.item_id, { verdict: 'flag', reason: 'broken' });
    await ben.decide(other.items[0]!.item_id, { verdict: 'answer', labels: [] });
    expect(await ana.next()).toEqual({ items: [], finished: true });
    expect(await queue.progress()).toMatchObject({
      n_left: 0,
      finished_at: expect.any(String) as string,
      states: { done: 2, flagged: 1, open: 0 },
      people_figures: [
        { person: 'ana@example.com', answered: 1, flagged: 1 },
        { person: 'ben@example.com', answered: 1 },
      ],
      label_figures: [
        { label: 'boat', answered: 1 },
        { label: 'house', answered: 1 },
      ],
    });
  });

  it('give an item whose time is over to somebody else', async () => {
    const queue = await make({ query: { limit: 1 } });
    const [ana, ben] = [queue.as(world.people.ana.api), queue.as(world.people.ben.api)];
    const { item_id: id } = await ana.one();
    expect((await ben.next()).items).toEqual([]);
    const past = "now() - interval '1 second'";
    await world.additions.sql(`UPDATE review_lease SET until = ${past} WHERE item_id = $1`, [id]);
    await world.additions.sql(`UPDATE review_item SET free_at = ${past} WHERE id = $1`, [id]);
    expect((await ben.one()).item_id).toBe(id);
    expect(await ana.tryToDecide(id, { verdict: 'answer', labels: [] })).toMatchObject({ status: 409 });
    await ben.decide(id, { verdict: 'answer', labels: [] });
  });

  it('leave a skipped item to others, after the open ones', async () => {
    const queue = await make({ query: { limit: 2 } });
    const [ana, ben] = [queue.as(world.people.ana.api), queue.as(world.people.ben.api)];
    const skipped = await ana.one();
    await ana.decide(skipped.item_id, { verdict: 'skip' });
    expect((await ben.next(2)).items.map(({ position }) => position)).toEqual([1, 0]);
    expect(await queue.progress()).toMatchObject({ n_left: 1, states: { skipped: 1, open: 1 } });
    await ben.decide(skipped.item_id, { verdict: 'answer', labels: ['boat'] });
    expect(await world.labels(skipped.media_id)).toContain('boat');
  });

  it('accept or relabel the annotations of a source', async () => {
    const shape = { type: 'box', x: 1, y: 2, width: 30, height: 40 };
    const said = (id: string, label: string, confidence: number) => ({
      file_name: '1.jpg',
      id,
      label,
      shape,
      confidence,
    });
    await world.sources.send({
      source: 'detector',
      annotations: [said('p1', 'boat', 0.9), said('p2', 'boat', 0.4), said('p3', 'house', 0.8)],
    });
    const annotations = { source: 'detector', label: 'boat', order: '-confidence' };
    const queue = await make({ query: undefined, annotations, question: { type: 'accept' } });
    const items = (await queue.next(5)).items;
    expect(items.map(({ annotation_id: id }) => id)).toEqual(['p1', 'p2']);
    await queue.decide(items[0]!.item_id, { verdict: 'answer', accepted: true });
    expect(await queue.decide(items[1]!.item_id, { verdict: 'answer', accepted: false })).toMatchObject({
      change_id: null,
    });
    const truth = await world.sources.list(`?source=ground_truth&media_id=${items[0]!.media_id}`);
    expect(truth.annotations.filter(({ shape: of }) => of !== null)).toMatchObject([
      { id: 'p1', label: 'boat', shape, confidence: null },
    ]);
    const choose = { type: 'choose', options: ['boat', 'raft'], source: 'detector' };
    const relabelled = await make({
      query: undefined,
      annotations: { source: 'detector', confidence: [0, 0.5] },
      question: choose,
    });
    await relabelled.decide((await relabelled.one()).item_id, { verdict: 'answer', choice: 'raft' });
    const { annotations: now } = await world.sources.list('?source=detector&label=raft');
    expect(now).toMatchObject([{ id: 'p2', shape }]);
  });

  it('change nothing when the picture is gone or the answer is none of the question', async () => {
    const queue = await make({ query: { limit: 1 } });
    const { item_id: id } = await queue.one();
    const refused = async (body: object, location: string) =>
      expect(await queue.tryToDecide(id, body)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', location] }] },
      });
    await refused({ verdict: 'answer', labels: ['tree'] }, 'labels');
    await refused({ verdict: 'answer', choice: 'boat' }, 'labels');
    await refused({ verdict: 'flag' }, 'reason');
    await world.additions.sql('UPDATE review_item SET media_id = gen_random_uuid() WHERE id = $1', [id]);
    expect(await queue.tryToDecide(id, { verdict: 'answer', labels: ['boat'] })).toMatchObject({ status: 409 });
    expect(await queue.progress()).toMatchObject({ states: { open: 1 } });
  });

  it('take no label that a closed label set does not have', async () => {
    const set = `/api/v1/dataset/${world.dataset}/label_set`;
    const { api } = world.people.owner;
    const queue = await make({ query: { limit: 1 }, question: { type: 'labels' } });
    const { item_id: id } = await queue.one();
    await api.must(200, 'PUT', set, { labels: [{ name: 'boat' }], closed: true });
    expect(await queue.tryToDecide(id, { verdict: 'answer', labels: ['boat', 'tree'] })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("'tree' is not in the label set") as string },
    });
    expect(await queue.progress()).toMatchObject({ states: { open: 1 } });
    await queue.decide(id, { verdict: 'answer', labels: ['boat'] });
    await api.must(200, 'PUT', set, { labels: [], closed: false });
  });

  it('can be paused, limited to people, and deleted', async () => {
    const queue = await make({ people: ['ana@example.com'] });
    const { owner, ana, ben, viewer } = world.people;
    const next = (person: typeof owner) => person.api.ask('POST', queue.path('/next'), {});
    expect((await next(ben)).status).toBe(403);
    expect((await next(viewer)).status).toBe(403);
    expect((await next(ana)).status).toBe(200);
    const change = (body: object) => owner.api.ask('PATCH', queue.path(), body);
    expect(await change({ paused: true, people: null })).toMatchObject({
      status: 200,
      body: { paused: true, people: null },
    });
    expect(await next(ben)).toMatchObject({ status: 409, body: { detail: 'The queue is paused' } });
    expect((await change({ people: ['viewer@example.com'] })).status).toBe(404);
    expect((await change({ name: 'Queue 0' })).status).toBe(409);
    await owner.api.must(204, 'DELETE', queue.path());
    expect((await owner.api.ask('GET', queue.path())).status).toBe(404);
    const left = 'SELECT count(*)::int AS n FROM review_item WHERE queue_id = $1';
    expect(await world.additions.sql(left, [queue.queue])).toEqual([{ n: 0 }]);
  });

  it('keep two people apart who race for items and answers', async () => {
    const queue = await make({});
    const people = [world.people.ana, world.people.ben, world.people.cleo].map(({ api }) => queue.as(api));
    const taken: string[] = [];
    const work = async (person: ReviewClient): Promise<void> => {
      for (;;) {
        const { items } = await person.next(2);
        if (items.length === 0) return;
        for (const { item_id: id } of items) {
          taken.push(id);
          await Promise.all([1, 2].map(() => person.decide(id, { verdict: 'answer', labels: ['boat'] })));
        }
      }
    };
    await Promise.all(people.map(work));
    expect(taken).toHaveLength(12);
    expect(new Set(taken).size).toBe(12);
    expect(await queue.progress()).toMatchObject({ n_left: 0, states: { done: 12 } });
    const { decisions } = await queue.api.must<{ decisions: object[] }>(200, 'GET', queue.path('/decisions'));
    expect(decisions).toHaveLength(12);
  });

  it('give an item on which one answer is missing to just one of many who ask at once', async () => {
    const queue = await make({ query: { limit: 1 } });
    const { item_id: id } = await queue.one();
    await world.additions.sql('DELETE FROM review_lease WHERE item_id = $1', [id]);
    await world.additions.sql("UPDATE review_item SET free_at = '-infinity' WHERE id = $1", [id]);
    const people = [world.people.ana, world.people.ben, world.people.cleo, world.people.owner];
    const answers = await Promise.all(people.map(({ api }) => queue.as(api).next()));
    expect(answers.flatMap(({ items }) => items)).toHaveLength(1);
    const decided = await Promise.all(
      people.map(({ api }) => queue.as(api).tryToDecide(id, { verdict: 'answer', labels: ['house'] })),
    );
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
