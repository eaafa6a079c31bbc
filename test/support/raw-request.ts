import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Why the connection ended before the whole body was written. */
  readonly failure: string | undefined;
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  // Half-open, so that it can write after the service has ended its side.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Also for a connection that is reset, which events.once treats as an error. */
const untilClosed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

const headOf = (url: string, request: string, headers: Readonly<Record<string, string>>): string =>
  [
    `${request} HTTP/1.1`,
    ...Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

function parseAnswer(text: string, failure: string | undefined): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: rest.join('\r\n\r\n'),
    failure,
  };
}

/** Behaves like a client that writes the whole body before it reads the response. */
export async function writeThenRead(
  url: string,
  request: string,
  headers: Readonly<Record<string, string>>,
  chunks: Iterable<Uint8Array | string>,
): Promise<RawAnswer> {
  const socket = await open(url);
  let failure: string | undefined;
  socket.once('error', (error: NodeJS.ErrnoException) => (failure = error.code));
  socket.pause();
  const write = (chunk: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => socket.write(chunk, () => resolve()));
  await write(headOf(url, request, headers));
  for (const chunk of chunks) if (failure === undefined) await write(chunk);
  return parseAnswer(await readAll(socket), failure);
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    const begun = text.indexOf('\r\n\r\n') + 4;
    if (begun > 4 && length !== undefined && text.length - begun >= Number(length)) socket.destroy();
  });
  socket.once('end', () => socket.end());
  if (!socket.closed) {
    socket.resume();
    await untilClosed(socket);
  }
  return text;
}

export interface SlowRequest {
  readonly socket: Socket;
  /** Resolves when the service has closed the connection. */
  readonly closed: Promise<unknown>;
  /** The first bytes of the response. */
  readonly answer: Promise<string>;
}

/** Sends a request whose body never ends: a byte at long intervals. */
export async function sendSlowly(
  url: string,
  request: string,
  headers: Readonly<Record<string, string>>,
  /** Bytes of the body that are sent at once. */
  begin: Uint8Array = Buffer.alloc(0),
): Promise<SlowRequest> {
  const socket = await open(url);
  socket.write(headOf(url, request, headers));
  socket.write(begin);
  const dripping = setInterval(() => socket.write('{'), 500);
  const closed = untilClosed(socket).finally(() => clearInterval(dripping));
  const answer = once(socket, 'data').then(([data]) => String(data));
  answer.catch(() => undefined);
  return { socket, closed, answer };
}
