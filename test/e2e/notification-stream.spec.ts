import { join } from 'node:path';
import { type ApiClient, filesForm, formOf } from '../support/api-client';
import { EventSourceClient } from '../support/event-source';
import { EventStream } from '../support/event-stream';
import { pictureBytes, writePicture } from '../support/pictures';
import { ProgramHome } from '../support/program-home';
import { SnapshotClient } from '../support/snapshot-client';
import { waitUntil } from '../support/wait-until';

const PATH = '/api/v1/notifications/stream';

interface ReceivedNotification {
  readonly id: string;
  readonly entity_id: string;
  readonly metadata: { readonly view_name: string; readonly result_count: number };
}

describe('the notification stream of the built program', () => {
  let home: ProgramHome;
  let api: ApiClient;

  beforeAll(async () => {
    home = await ProgramHome.make();
    await home.start();
    api = home.api;
  });

  afterAll(() => home.remove());

  const add = async (dataset: string, seed: number): Promise<void> => {
    const file = { name: `${seed}.jpg`, bytes: await pictureBytes(seed) };
    await api.must(202, 'POST', `/api/v1/dataset/${dataset}/add_media`, filesForm([file]));
    await api.untilStatus(dataset, ['PARTIAL INDEX']);
  };
  const told = (source: EventSourceClient): ReceivedNotification[] =>
    source.ofType('notification').map(({ data }) => JSON.parse(data) as ReceivedNotification);

  it('reaches browsers and raw sockets, and resumes after a restart', async () => {
    await writePicture(join(home.folder, 'source', 'first.jpg'), 1);
    const dataset = await new SnapshotClient(api).indexed('Watched', join(home.folder, 'source'));
    const source = new EventSourceClient(`${home.program.url}${PATH}?dataset_id=${dataset}`);
    const socket = await EventStream.open(home.program.url);
    await waitUntil(() => source.ofType('ping').length > 0);
    expect(source.ofType('ping')[0]).toMatchObject({ data: '', lastEventId: '' });
    const { id: view } = await api.must<{ id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${dataset}/views`,
      formOf({ name: 'All' }),
    );

    await add(dataset, 2);
    await waitUntil(() => told(source).length === 1 && socket.notifications.length === 1);
    expect(told(source)).toMatchObject([{ entity_id: view, metadata: { view_name: 'All', result_count: 1 } }]);
    expect(socket.notifications).toEqual(told(source));
    expect(source.ofType('notification')[0]!.lastEventId).toBe(told(source)[0]!.id);

    await home.program.stop();
    await waitUntil(() => socket.isOver);
    await home.start();
    await add(dataset, 3);
    await waitUntil(() => told(source).length === 2);
    await waitUntil(() => source.ofType('ping').length > 2);
    // Attempts fail while the program is starting.
    expect(source.connections).toBeGreaterThan(1);
    const { notifications } = await api.must<{ notifications: ReceivedNotification[] }>(
      200,
      'GET',
      '/api/v1/notifications',
    );
    expect(told(source).reverse()).toEqual(notifications);
    await source.close();
  });
});
