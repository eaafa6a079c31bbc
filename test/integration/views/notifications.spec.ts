import { randomUUID } from 'node:crypto';
import { type NewNotification, NotificationRepository } from '../../../src/modules/notifications';
import { NotificationEntity } from '../../../src/modules/notifications/persistence/notification.repository';
import { LOCAL_ADMIN } from '../../../src/modules/workspaces/domain/workspace';
import { ApiClient } from '../../support/api-client';
import { EventStream } from '../../support/event-stream';
import { startTestApp, type TestApp } from '../../support/test-app';

interface Listed {
  readonly notifications: { id: string; metadata: { view_name: string }; read_at: string | null }[];
  readonly total: number;
  readonly has_more: boolean;
}

const PATH = '/api/v1/notifications';
const OTHER = randomUUID();

describe('notifications', () => {
  let running: TestApp;
  let api: ApiClient;
  let dataset: string;
  let other: string;

  beforeAll(async () => {
    running = await startTestApp();
    api = new ApiClient(running.url);
    await running.database.dataSource.query(
      'INSERT INTO app_user (id, email, name, realm_roles, created_at) VALUES ($1, $2, $3, $4, now())',
      [OTHER, 'other@localhost', 'Other', []],
    );
  });

  afterAll(() => running.close());

  const draft = async (name: string): Promise<string> =>
    (await api.must<{ dataset_id: string }>(200, 'GET', `/api/v1/ingestion/new_dataset?dataset_name=${name}`))
      .dataset_id;

  beforeEach(async () => {
    await running.database.dataSource.query('DELETE FROM notification');
    dataset = await draft('one');
    other = await draft('two');
  });

  const tell = async (names: readonly string[], more: Partial<NewNotification> = {}): Promise<void> => {
    const notifications = names.map((name): NewNotification => ({
      userId: LOCAL_ADMIN.id,
      entityType: 'saved_view',
      entityId: randomUUID(),
      title: '',
      message: null,
      metadata: { view_name: name },
      datasetId: dataset,
      ...more,
    }));
    const { dataSource, transactions } = running.database;
    await new NotificationRepository(dataSource.getRepository(NotificationEntity), transactions).insert(
      notifications,
      new Date(),
    );
  };
  const list = (query = ''): Promise<Listed> => api.must(200, 'GET', `${PATH}${query}`);
  const names = (listed: Listed): string[] => listed.notifications.map(({ metadata }) => metadata.view_name);
  const count = async (query = ''): Promise<number> =>
    (await api.must<{ count: number }>(200, 'GET', `${PATH}/unread-count${query}`)).count;
  const open = (query = '', headers = {}): Promise<EventStream> => EventStream.open(running.url, query, headers);
  const pingsIn = (events: EventStream['events']): number => events.filter(({ event }) => event === 'ping').length;
  const streamed = (stream: EventStream): unknown[] =>
    stream.notifications.map(({ metadata }) => metadata['view_name']);

  it('are listed newest first, in pages, for the caller only', async () => {
    await tell(['a', 'b', 'c']);
    await tell(['d'], { datasetId: other });
    await tell(['foreign'], { userId: OTHER });
    expect(names(await list())).toEqual(['d', 'c', 'b', 'a']);
    expect(await list('?limit=2')).toMatchObject({ total: 4, has_more: true });
    expect(names(await list('?limit=2&offset=2'))).toEqual(['b', 'a']);
    expect(await list('?limit=2&offset=2')).toMatchObject({ has_more: false });
    expect(await list('?offset=9')).toEqual({ notifications: [], total: 4, has_more: false });
    expect(names(await list(`?dataset_id=${other}`))).toEqual(['d']);
  });

  it('are marked as read, one or all', async () => {
    await tell(['a', 'b']);
    await tell(['c'], { datasetId: other });
    await tell(['foreign'], { userId: OTHER });
    const [newest] = (await list()).notifications;
    expect(await count()).toBe(3);
    expect(await api.must(200, 'POST', `${PATH}/${newest!.id}/read`)).toEqual({ ok: true });
    expect(await api.ask('POST', `${PATH}/${newest!.id}/read`)).toMatchObject({ status: 404 });
    const [foreign] = await running.database.dataSource.query<{ id: string }[]>(
      'SELECT id FROM notification WHERE user_id = $1',
      [OTHER],
    );
    expect(await api.ask('POST', `${PATH}/${foreign!.id}/read`)).toMatchObject({ status: 404 });
    expect(names(await list('?unread_only=true'))).toEqual(['b', 'a']);
    expect(await count(`?dataset_id=${dataset}`)).toBe(2);
    expect(await api.must(200, 'POST', `${PATH}/read-all?dataset_id=${other}`)).toEqual({ ok: true, count: 0 });
    expect(await api.must(200, 'POST', `${PATH}/read-all`)).toEqual({ ok: true, count: 2 });
    expect(await count()).toBe(0);
  });

  it('are streamed immediately to every stream of their recipients', async () => {
    await tell(['before']);
    const all = await open();
    const scoped = await open(`?dataset_id=${other}`);
    expect(all.head).toMatch(/^HTTP\/1\.1 200 /);
    expect(all.head).toMatch(/content-type: text\/event-stream\r\n/i);
    expect(all.head).toMatch(/cache-control: no-cache/i);
    expect(all.head).toMatch(/x-accel-buffering: no/i);
    expect(all.head).not.toMatch(/content-encoding/i);
    await all.until(({ events }) => pingsIn(events) > 0);
    const pings = pingsIn(all.events);
    await tell(['first']);
    await tell(['foreign'], { userId: OTHER });
    await tell(['second'], { datasetId: other });
    await all.until((stream) => streamed(stream).length === 2);
    // An unannounced notification would arrive after the next ping.
    const last = all.events.map(({ event }) => event).lastIndexOf('notification');
    expect(pingsIn(all.events.slice(0, last))).toBe(pings);
    await scoped.until((stream) => streamed(stream).length === 1);
    expect(streamed(all)).toEqual(['first', 'second']);
    expect(streamed(scoped)).toEqual(['second']);
    const [event] = all.events.filter((each) => each.event === 'notification');
    expect(event!.id).toBe(all.notifications[0]!.id);
    expect((await list()).notifications).toContainEqual(JSON.parse(event!.data));
    expect(all.events.find((each) => each.event === 'ping')).toEqual({ event: 'ping', id: undefined, data: '' });
    all.close();
    scoped.close();
  });

  it('resume after the last received notification', async () => {
    await tell(['seen']);
    const [seen] = (await list()).notifications;
    await tell(Array.from({ length: 1_200 }, (_, i) => `missed ${i}`));
    const stream = await open('', { 'last-event-id': seen!.id });
    await stream.until(({ notifications }) => notifications.length === 1_200);
    await tell(['next']);
    await stream.until(({ notifications }) => notifications.length > 1_200);
    expect(streamed(stream)).toEqual([...Array.from({ length: 1_200 }, (_, i) => `missed ${i}`), 'next']);
    stream.close();
    const unknown = await open('', { 'last-event-id': randomUUID() });
    await tell(['later']);
    await unknown.until(({ notifications }) => notifications.length > 0);
    expect(streamed(unknown)).toEqual(['later']);
    unknown.close();
  });

  it('are sent once to streams opened meanwhile', async () => {
    const total = 60;
    const first = await open();
    await tell(['mark']);
    await first.until(({ notifications }) => notifications.length === 1);
    const headers = { 'last-event-id': first.notifications[0]!.id };
    const telling = (async () => {
      for (let i = 0; i < total; i++) await tell([String(i)]);
    })();
    const streams: EventStream[] = [];
    for (let i = 0; i < 20; i++) streams.push(await open('', headers));
    await telling;
    const expected = Array.from({ length: total }, (_, i) => String(i));
    for (const stream of streams) {
      await stream.until(({ notifications }) => notifications.length >= total);
      expect(streamed(stream)).toEqual(expected);
      stream.close();
    }
    first.close();
  });

  it('end their stream when the reader loses access to the dataset', async () => {
    const scoped = await open(`?dataset_id=${dataset}`);
    const free = await open();
    await api.must(204, 'DELETE', `/api/v1/dataset/${dataset}`);
    await scoped.until(({ isOver }) => isOver);
    expect(free.isOver).toBe(false);
    scoped.close();
    free.close();
  });

  it('continue after the connection to Postgres was lost', async () => {
    const stream = await open();
    await tell(['before']);
    await stream.until(({ notifications }) => notifications.length === 1);
    await running.database.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`,
    );
    await tell(['after']);
    await stream.until(({ notifications }) => notifications.length === 2);
    expect(streamed(stream)).toEqual(['before', 'after']);
    stream.close();
  });

  it('are not sent to a reader with too much unread data, whose stream ends', async () => {
    const slow = await open();
    const quick = await open();
    slow.pause();
    const message = 'x'.repeat(100_000);
    for (let part = 0; part < 40; part++) {
      await tell([`part ${part}.`, 'a', 'b', 'c', 'd'], { message });
      await quick.until((stream) => stream.holds(`part ${part}.`));
    }
    await tell(['the end']);
    await quick.until((stream) => stream.holds('the end'));
    slow.resume();
    await slow.until(({ isOver }) => isOver);
    expect(slow.holds('the end')).toBe(false);
    expect(quick.isOver).toBe(false);
    slow.close();
    quick.close();
  });

  it('end their streams when the service stops', async () => {
    const second = await startTestApp();
    const streams = [await EventStream.open(second.url), await EventStream.open(second.url)];
    await second.close();
    for (const stream of streams) await stream.until(({ isOver }) => isOver);
  });
});
