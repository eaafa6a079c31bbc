import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { OpenConnections } from './connections';

describe('closing a server', () => {
  let server: Server;
  let connections: OpenConnections;
  let answer: () => void;
  let asked: Promise<void>;

  beforeEach(async () => {
    asked = new Promise((resolve) => {
      server = createServer((_request, response) => {
        answer = () => response.end('whole');
        resolve();
      });
    });
    connections = new OpenConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  const close = (): Promise<void> =>
    connections.whileClosing(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [isMet] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    expect(isMet).toBeDefined();
    return socket;
  };

  it('does not wait for a connection without requests', async () => {
    const socket = await open();
    const ended = once(socket, 'close');
    socket.resume();
    await close();
    await ended;
  });

  it('finishes the requests in progress first', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked;
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = once(socket, 'close');
    const closing = close();
    answer();
    await closing;
    await ended;
    expect(Buffer.concat(chunks).toString()).toContain('whole');
  });
});
