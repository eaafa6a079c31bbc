import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { waitUntil } from '../../../../test/support/wait-until';
import { lingerAfterEarlyResponses } from './connections';

let server: Server;

beforeEach(async () => {
  server = createServer((_, response) => response.end('early'));
  lingerAfterEarlyResponses(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => server.close());

it('keeps a connection with small bodies that arrive after the responses, and leaves no listeners on it', async () => {
  const arrived = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = await arrived;
  const ask = async (): Promise<void> => {
    const answer = once(client, 'data') as Promise<[Buffer]>;
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n');
    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 200 [^]*Connection: keep-alive/i);
    client.write('body');
  };
  await ask();
  const before = socket.listenerCount('close');
  for (let times = 0; times < 12; times += 1) await ask();
  await waitUntil(() => socket.listenerCount('close') <= before);
  client.destroy();
});
