import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { SearchEngine } from '../../../src/modules/search/query/search-engine';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const ASKED = 60;
const AT_ONCE = 8;

describe('many concurrent searches of one caller', () => {
  const running = runningApp();
  let path: string;
  let sockets: Socket[];
  /** The same connections on the side of the service. */
  let accepted: Socket[];
  let page: jest.SpyInstance;
  let release: () => void;
  let pages = 0;

  beforeAll(async () => {
    const folder = join(running.folder, 'pictures');
    await writePicture(join(folder, 'a.jpg'), 1);
    const api = new ApiClient(running.url);
    const id = await api.indexed('Searched', folder);
    path = `/api/v1/explore/${id}`;
  });

  beforeEach(() => {
    [sockets, accepted] = [[], []];
    const held = new Promise<void>((resolve) => (release = resolve));
    const engine = running.app.get(SearchEngine, { strict: false });
    const usual = engine.page.bind(engine);
    page = jest.spyOn(engine, 'page').mockImplementation(async (...given) => {
      await held;
      return usual(...given);
    });
  });

  afterEach(() => {
    page.mockRestore();
    for (const socket of sockets) socket.destroy();
  });

  /** Requests a different page each time, which is not cached. */
  const ask = async (): Promise<void> => {
    const accept = (socket: Socket): void => void accepted.push(socket);
    running.app.getHttpServer().on('connection', accept);
    for (let at = 0; at < ASKED; at += 1) {
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${path}?page_number=${(pages += 1)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      sockets.push(socket);
    }
    await waitUntil(() => page.mock.calls.length === AT_ONCE);
    running.app.getHttpServer().off('connection', accept);
  };

  it('run a few at a time until all are done', async () => {
    await ask();
    const answers = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
    release();
    const heads = (await Promise.all(answers)).map(([head]) => head.toString('latin1', 0, 12));
    expect(new Set(heads)).toEqual(new Set(['HTTP/1.1 200']));
    expect(page).toHaveBeenCalledTimes(ASKED);
  });

  it('are not started for closed connections', async () => {
    await ask();
    for (const socket of sockets) socket.destroy();
    await waitUntil(() => accepted.every(({ destroyed }) => destroyed));
    release();
    expect((await fetch(`${running.url}${path}?page_number=${(pages += 1)}`)).status).toBe(200);
    expect(page).toHaveBeenCalledTimes(AT_ONCE + 1);
  });
});
