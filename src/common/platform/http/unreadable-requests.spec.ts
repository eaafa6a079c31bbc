import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { respondToUnreadableRequests } from './unreadable-requests';

let server: Server;

beforeAll(async () => {
  server = createServer((_, response) => response.end('fine'));
  respondToUnreadableRequests(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => server.close());

async function answerTo(request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(request);
  return text(socket);
}

it.each([
  [`GET /?q=${'x'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 413, 'larger than 16 KiB'],
  ['this is no request\r\n\r\n', 400, 'not valid HTTP'],
])('responds with a detail', async (request, status, detail) => {
  const answer = await answerTo(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({ detail: expect.stringContaining(detail) as string });
});

it('does not affect other requests', async () => {
  expect(await answerTo('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/);
});
