import { ReviewClient } from '../../support/review-client';
import { ReviewWorld } from '../../support/review-world';
import { WebhookReceiver } from '../../support/webhook-receiver';
import { waitUntil } from '../../support/wait-until';

interface Told {
  readonly entity_type: string;
  readonly entity_id: string;
  readonly title: string;
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const answer = (...labels: string[]) => ({ verdict: 'answer', labels });

describe('review by several people', () => {
  let world: ReviewWorld;
  let names = 0;

  beforeAll(async () => {
    world = await ReviewWorld.start({ WEBHOOK_HOSTS: '127.0.0.1' });
  });

  afterAll(() => world.close());

  const make = (body: object): Promise<ReviewClient> =>
    ReviewClient.make(world.people.owner.api, world.dataset, {
      name: `Queue ${names++}`,
      query: { limit: 1 },
      question: { type: 'labels' },
      ...body,
    });

  const told = async (name: 'ana' | 'ben'): Promise<readonly Told[]> =>
    (await world.people[name].api.must<{ notifications: Told[] }>(200, 'GET', '/api/v1/notifications')).notifications;

  const inTurn = (queue: ReviewClient) => ({
    ana: queue.as(world.people.ana.api),
    ben: queue.as(world.people.ben.api),
    cleo: queue.as(world.people.cleo.api),
  });

  it('writes an answer when as many people agree as must', async () => {
    const queue = await make({ agreement: 2 });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    expect((await ben.one()).item_id).toBe(id);
    expect((await cleo.next()).items).toEqual([]);
    expect(await ana.decide(id, answer('a1'))).toMatchObject({ state: 'open', answer: null });
    expect(await ana.next()).toEqual({ items: [], finished: true });
    expect(await world.labels(media)).not.toContain('a1');
    expect(await ben.decide(id, answer('a1'))).toMatchObject({ state: 'done', answer: { labels: ['a1'] } });
    expect(await world.labels(media)).toEqual(['a1']);
  });

  it('lets people take back what they said, until somebody else has reviewed it', async () => {
    const queue = await make({ agreement: 2, reviewed: true });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    const before = await world.labels(media);
    await ben.one();
    await ana.decide(id, answer('t1'));
    expect(await ana.takeBack(id)).toMatchObject({ state: 'open', answer: null, undone: null });
    expect((await ana.one()).item_id).toBe(id);
    const refused = (person: ReviewClient) => person.api.ask('DELETE', queue.path(`/items/${id}/decision`));
    expect(await refused(ana)).toMatchObject({
      status: 409,
      body: { detail: 'You have decided nothing on this item' },
    });
    await ana.decide(id, answer('t2'));
    await ben.decide(id, answer('t2'));
    expect(await world.labels(media)).toEqual(['t2']);
    const all = await Promise.all([ana.takeBack(id), refused(cleo)]);
    expect(all).toMatchObject([{ state: 'open', answer: null, change_id: null, undone: true }, { status: 409 }]);
    expect(await world.labels(media)).toEqual(before);
    expect(await queue.progress()).toMatchObject({
      n_left: 1,
      people_figures: [{ person: 'ben@example.com', answered: 1, rejected: 0 }],
    });
    await ana.decide(id, answer('t2'));
    await cleo.review(id, { accepted: true });
    expect(await queue.progress()).toMatchObject({ n_left: 0, finished_at: expect.any(String) as string });
    expect(await refused(ben)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Somebody else has reviewed') as string },
    });
    expect(await world.labels(media)).toEqual(['t2']);
  });

  it('keeps what the others agree on, and what was changed again, when an answer is taken back', async () => {
    const queue = await make({ agreement: 2 });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    await ana.decide(id, answer('k1'));
    await ben.next();
    await ben.decide(id, answer('k2'));
    await cleo.next();
    await cleo.decide(id, answer('k1'));
    expect(await ben.takeBack(id)).toMatchObject({ state: 'done', answer: { labels: ['k1'] }, undone: null });
    expect(await world.labels(media)).toEqual(['k1']);
    const other = await make({ query: undefined, media_ids: [media] });
    await other.one();
    await other.decide((await other.one()).item_id, answer('k3'));
    expect(await ana.takeBack(id)).toMatchObject({ state: 'open', answer: null, undone: false });
    expect(await world.labels(media)).toEqual(['k3']);
    expect(await queue.progress()).toMatchObject({ n_left: 1, finished_at: null });
  });

  it('asks further people until one answer has more votes', async () => {
    const queue = await make({ agreement: 2 });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    await ana.decide(id, answer('v1'));
    expect(await ben.decide(id, answer('v2'))).toMatchObject({ state: 'open' });
    expect((await cleo.one()).item_id).toBe(id);
    expect(await cleo.decide(id, answer('v2'))).toMatchObject({ state: 'done' });
    expect(await world.labels(media)).toEqual(['v2']);
    const { agreement_figures: figures } = await queue.progress();
    expect(figures.observed).toBeCloseTo(1 / 3, 12);
    expect(figures.cohen_kappa).toBeNull();
  });

  it('lets one more person decide where two differ', async () => {
    const queue = await make({ agreement: 2, consensus: 'third' });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    await ana.decide(id, answer('t1'));
    await ben.decide(id, answer('t2'));
    expect(await cleo.decide(id, answer('t3'))).toMatchObject({ state: 'done' });
    expect(await world.labels(media)).toEqual(['t3']);
  });

  it('knows the agreement of two people', async () => {
    const queue = await make({ query: {}, agreement: 2, question: { type: 'choose', options: ['x', 'y'] } });
    const { ana, ben } = inTurn(queue);
    const items = await queue.items();
    for (const [at, { item_id: id }] of items.slice(0, 8).entries()) {
      await ana.decide(id, { verdict: 'answer', choice: at < 4 ? 'x' : 'y' });
      await ben.decide(id, { verdict: 'answer', choice: at < 3 || at === 7 ? 'x' : 'y' });
    }
    const { agreement_figures: figures } = await queue.progress();
    expect(figures.observed).toBeCloseTo(0.75, 12);
    expect(figures.cohen_kappa).toBeCloseTo(0.5, 12);
    expect(figures.krippendorff_alpha).toBeCloseTo(1 - (15 * 4) / 128, 12);
  });

  it('mixes in media with a known answer, which changes nothing', async () => {
    const { items } = { items: await (await make({ query: {} })).items() };
    const known = items[5]!.media_id;
    const before = await world.labels(known);
    const honeypots = [{ media_id: known, answer: { labels: ['known'] } }];
    const queue = await make({ query: {}, honeypots, seed: 1 });
    const { ana } = inTurn(queue);
    const all = await queue.items();
    expect(all).toHaveLength(12);
    expect(all[5]!.media_id).not.toBe(known);
    await ana.decide(all.find(({ media_id: id }) => id === known)!.item_id, answer('known'));
    expect(await world.labels(known)).toEqual(before);
    expect((await queue.progress()).people_figures).toMatchObject([{ answered: 1, honeypots: 1, honeypots_right: 1 }]);
  });

  it('takes a rejected answer back, and gives the item to its author first', async () => {
    const receiver = await WebhookReceiver.start();
    const events = ['item.rejected', 'queue.finished'];
    await world.people.owner.api.must(200, 'POST', `/api/v1/dataset/${world.dataset}/webhooks`, {
      url: receiver.url,
      events,
    });
    const queue = await make({ query: { limit: 2 }, reviewed: true });
    const { ana, ben, cleo } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    const before = await world.labels(media);
    expect(await ana.decide(id, answer('wrong'))).toMatchObject({ state: 'to_review' });
    expect(await world.labels(media)).toEqual(['wrong']);
    expect(await ana.api.ask('POST', ana.path(`/items/${id}/review`), { accepted: true })).toMatchObject({
      status: 403,
    });
    const rejected = await ben.review(id, { accepted: false, reason: 'Look again' });
    expect(rejected).toMatchObject({ state: 'rejected', undone: true, change_id: null });
    expect(await world.labels(media)).toEqual(before);
    expect((await cleo.next(2)).items.map(({ item_id: other }) => other)).not.toContain(id);
    expect((await ana.one()).item_id).toBe(id);
    expect((await told('ana'))[0]).toMatchObject({
      entity_type: 'review_queue',
      entity_id: queue.queue,
      message: 'Look again',
    });
    await ana.decide(id, answer('right'));
    expect(await ben.review(id, { accepted: true })).toMatchObject({ state: 'done', undone: null });
    expect(await world.labels(media)).toEqual(['right']);
    await cleo.decide((await cleo.one()).item_id, { verdict: 'flag', reason: 'black' });
    await waitUntil(() => receiver.received.length >= 2);
    expect(receiver.received.map(({ body }) => body.event).sort()).toEqual(events);
    const { decisions } = await queue.api.must<{ decisions: object[] }>(200, 'GET', queue.path('/decisions'));
    expect(decisions).toMatchObject([
      { person: 'ana@example.com', accepted: false, reviewed_by: 'ben@example.com', review_reason: 'Look again' },
      { person: 'ana@example.com', accepted: true },
      { person: 'cleo@example.com', verdict: 'flag', accepted: null },
    ]);
    expect((await queue.progress()).people_figures[0]).toMatchObject({ answered: 1, rejected: 1 });
    await receiver.close();
  });

  it('leaves annotations that were changed again when their answer is rejected', async () => {
    const queue = await make({ reviewed: true });
    const { ana, ben } = inTurn(queue);
    const { item_id: id, media_id: media } = await ana.one();
    await ana.decide(id, answer('first'));
    const [{ id: annotation } = { id: '' }] = (await world.sources.list(`?source=ground_truth&media_id=${media}`))
      .annotations;
    await world.sources.send({
      source: 'ground_truth',
      mode: 'merge',
      annotations: [{ media_id: media, id: annotation, label: 'second' }],
    });
    expect(await ben.review(id, { accepted: false })).toMatchObject({ state: 'rejected', undone: false });
    expect(await world.labels(media)).toEqual(['second']);
  });

  it('gives a flagged item back to who flagged it', async () => {
    const queue = await make({});
    const { ana, ben } = inTurn(queue);
    const { item_id: id } = await ana.one();
    expect(await ana.decide(id, { verdict: 'flag', reason: 'dark' })).toMatchObject({ state: 'flagged' });
    expect((await queue.progress()).finished_at).not.toBeNull();
    expect(await ben.review(id, { accepted: false })).toMatchObject({ state: 'rejected' });
    expect(await queue.progress()).toMatchObject({ n_left: 1, finished_at: null });
    await ana.decide((await ana.one()).item_id, answer('seen'));
    expect((await queue.progress()).finished_at).not.toBeNull();
  });

  it('notifies people who are mentioned in a comment, also by a viewer', async () => {
    const queue = await make({});
    const [{ item_id: id } = { item_id: '' }] = await queue.items();
    const path = queue.path(`/items/${id}/comments`);
    const { api } = world.people.viewer;
    await api.must(201, 'POST', path, { text: 'A raft?', mentions: ['BEN@example.com', 'ben@example.com'] });
    expect((await told('ben')).filter(({ entity_id: of }) => of === queue.queue)).toMatchObject([
      { title: expect.stringContaining('mentioned') as string, message: 'A raft?', metadata: { item_id: id } },
    ]);
    expect(await api.must(200, 'GET', path)).toMatchObject({
      comments: [{ author: 'viewer@example.com', text: 'A raft?', mentions: ['ben@example.com'] }],
    });
    await queue.api.must(204, 'DELETE', queue.path());
    expect((await told('ben')).filter(({ entity_id: of }) => of === queue.queue)).toEqual([]);
  });
});
