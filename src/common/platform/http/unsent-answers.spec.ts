import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { waitUntil } from '../../../../test/support/wait-until';
import { ServiceBusyError } from '../errors/domain-error';
import { HeldBytes } from './read-body';
import { limitUnsentAnswers } from './connections';

const MIB = 1024 * 1024;
/** More than the system buffers for a client that does not read. */
const LARGE = 24 * MIB;

describe('responses whose clients do not read them', () => {
  let server: Server;
  let port: number;
  let clients: Socket[];
  let sockets: Socket[];

  beforeEach(async () => {
    [clients, sockets] = [[], []];
    const app = express();
    app.set('trust proxy', true);
    app.use(limitUnsentAnswers(new HeldBytes({ all: 2.5 * LARGE, share: 1.5 * LARGE })));
    app.get('/large', (_request, response) => void response.send(Buffer.alloc(LARGE)));
    app.get('/small', (_request, response) => void response.send({ small: true }));
    app.get('/stream', (_request, response) => void response.write(Buffer.alloc(LARGE)));
    // Express takes a function of four parameters for an error handler.
    app.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
      if (error instanceof ServiceBusyError) response.status(503).json({ detail: error.message });
      else next(error);
    });
    server = app.listen(0, '127.0.0.1');
    server.on('connection', (socket) => sockets.push(socket));
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    for (const socket of clients) socket.destroy();
    server.close();
  });

  /** Sends a request, and reads only the status. */
  const ask = async (address: string, path = '/large'): Promise<{ status: number; client: Socket }> => {
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    const [head] = (await once(client, 'data')) as [Buffer];
    client.pause();
    return { status: Number(head.toString('latin1', 9, 12)), client };
  };
  const statusOf = async (address: string, path?: string): Promise<number> => (await ask(address, path)).status;

  it('are refused above the limit of their caller, unless they are small', async () => {
    expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.1')]).toEqual([200, 503]);
    expect(await statusOf('192.0.2.1', '/small')).toBe(200);
    expect(await statusOf('192.0.2.2')).toBe(200);
  });

  it('are refused above the total limit', async () => {
    const answers = [await statusOf('192.0.2.1'), await statusOf('192.0.2.2'), await statusOf('192.0.2.3')];
    expect(answers).toEqual([200, 200, 503]);
  });

  it('no longer count once they are read or their connection has ended', async () => {
    const { client } = await ask('192.0.2.1');
    client.resume();
    await waitUntil(async () => (await statusOf('192.0.2.1')) === 200);
    for (const socket of clients) socket.destroy();
    await waitUntil(async () => (await statusOf('192.0.2.1')) === 200);
  });

  it('have their connection closed if no data is accepted for some seconds, except files and streams', async () => {
    server.timeout = 120_000;
    const { client } = await ask('192.0.2.1');
    expect(sockets[0]!.timeout).toBe(15_000);
    await ask('192.0.2.1', '/stream');
    expect(sockets[1]!.timeout).toBe(120_000);
    client.resume();
    await waitUntil(() => sockets[0]!.timeout !== 15_000);
    // Simulates the timeout; Node.js measures the time itself.
    const stalled = await ask('192.0.2.1');
    sockets[2]!.emit('timeout');
    await once(stalled.client.resume(), 'close');
  });
});
