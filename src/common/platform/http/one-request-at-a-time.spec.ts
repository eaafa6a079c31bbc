import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { waitUntil } from '../../../../test/support/wait-until';
import { oneRequestAtATime } from './connections';

describe('requests on one connection', () => {
  let server: Server;
  let client: Socket;
  /** The server's side of the connection. */
  let socket: Socket;
  let answers: string;
  let begun: { readonly path: string; readonly response: ServerResponse }[];

  beforeEach(async () => {
    [begun, answers] = [[], ''];
    const queue = oneRequestAtATime();
    server = createServer((request, response) => {
      void queue(request as Request, response as Response, () => begun.push({ path: request.url!, response }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('data', (data) => (answers += String(data)));
    client.on('error', () => undefined);
    [socket] = await connected;
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  const send = (paths: readonly string[]): boolean =>
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  const paths = (): string[] => begun.map(({ path }) => path);
  const answered = (): string[] => answers.match(/(?<=\r\n\r\n)\/\d+/g) ?? [];

  it('start one after the other, in order', async () => {
    const asked = Array.from({ length: 10 }, (_, at) => `/${at}`);
    send(asked);
    for (const [at, path] of asked.entries()) {
      await waitUntil(() => begun.length > at);
      expect(paths()).toEqual(asked.slice(0, at + 1));
      begun[at]!.response.end(path);
    }
    await waitUntil(() => answered().length === asked.length);
    expect(answered()).toEqual(asked);
  });

  it('are read with their bodies after the previous response has ended', async () => {
    send(['/0', '/1']);
    await waitUntil(() => begun.length === 1);
    client.write('POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n');
    client.write(Buffer.alloc(200_000));
    begun[0]!.response.end('/0');
    await waitUntil(() => begun.length === 2);
    begun[1]!.response.end('/1');
    await waitUntil(() => begun.length === 3);
    const { req: request } = begun[2]!.response;
    let length = 0;
    request.on('data', (data: Buffer) => (length += data.length));
    await once(request, 'end');
    expect(length).toBe(200_000);
    begun[2]!.response.end('/2');
    await waitUntil(() => answered().length === 3);
    send(['/3']);
    await waitUntil(() => begun.length === 4);
  });

  it('close the connection if too many are sent before the first response', async () => {
    send(Array.from({ length: 500 }, (_, at) => `/${at}`));
    await once(socket, 'close');
    expect(paths()).toEqual(['/0']);
  });

  it('are dropped when the connection is closed', async () => {
    send(['/0', '/1', '/2']);
    await waitUntil(() => begun.length === 1);
    socket.destroy();
    await once(begun[0]!.response, 'close');
    await new Promise((resolve) => setImmediate(resolve));
    expect(paths()).toEqual(['/0']);
  });
});
