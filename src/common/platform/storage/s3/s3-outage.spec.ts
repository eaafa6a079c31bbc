import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitUntil } from '../../../../../test/support/wait-until';
import { isUnrecoverable, ObjectStoreOutageError, outageOf } from '../../outage/outage';
import { S3ObjectStore } from './s3-object-store';

const ACCESS_DENIED = '<Error><Code>AccessDenied</Code><Message>No</Message></Error>';

describe('an S3 store that fails', () => {
  let server: Server;

  const storeBehind = async (listener: RequestListener) => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return storeAt((server.address() as AddressInfo).port);
  };
  const storeAt = (port: number) => {
    const endpoint = `http://127.0.0.1:${port}`;
    const connection = { endpoint, region: 'us-east-1', accessKey: 'key', secretKey: 'secret', idleTimeoutMs: 200 };
    return new S3ObjectStore({ connection, bucket: 'bucket', prefix: '' });
  };
  const failure = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is unavailable if no server listens', async () => {
    const store = await storeBehind(() => undefined);
    server.close();
    await once(server, 'close');
    for (const call of [store.head('a'), store.get('a'), store.put('a', Buffer.from('b')), store.list('')])
      expect(outageOf(await failure(call))).toBeInstanceOf(ObjectStoreOutageError);
  });

  it('is unavailable when it does not respond in time', async () => {
    const store = await storeBehind(() => undefined);
    expect(outageOf(await failure(store.head('a')))?.message).toMatch(/no data from 127\.0\.0\.1 for 0\.2 s/);
  });

  it('is unavailable when it goes silent in the middle of an object', async () => {
    const store = await storeBehind((_request, response) => {
      response.setHeader('content-length', 100).write('begun');
    });
    expect(outageOf(await failure(store.get('a').then(buffer)))).toBeInstanceOf(ObjectStoreOutageError);
  });

  it('is unavailable when the connection breaks in the middle of an object', async () => {
    const store = await storeBehind((_request, response) => {
      response.setHeader('content-length', 100).write('begun', () => response.destroy());
    });
    expect(outageOf(await failure(store.get('a').then(buffer)))).toBeInstanceOf(ObjectStoreOutageError);
  });

  it('is called again while it is busy, and unavailable if it stays busy', async () => {
    let asked = 0;
    const store = await storeBehind((_request, response) => {
      asked += 1;
      response.writeHead(asked === 2 ? 200 : 503, asked === 2 ? { etag: '"e"', 'content-length': 0 } : {}).end();
    });
    await expect(store.head('a')).resolves.toMatchObject({ key: 'a' });
    expect(outageOf(await failure(store.head('a')))?.message).toBe('The S3 store answered with status 503');
  });

  it('is called again if a connection breaks, unless the request must not be repeated', async () => {
    let asked = 0;
    const store = await storeBehind((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else response.writeHead(200, { etag: '"e"', 'content-length': 0 }).end();
    });
    await expect(store.put('a', Buffer.from('b'))).resolves.toMatchObject({ etag: 'e' });
    expect(asked).toBe(2);
    asked = 0;
    const once = await failure(store.put('a', Buffer.from('b'), { ifAbsent: true }));
    expect(outageOf(once)).toBeInstanceOf(ObjectStoreOutageError);
  });

  it('is not unavailable when it refuses a request, since a retry would not help', async () => {
    const store = await storeBehind((_request, response) => void response.writeHead(403).end(ACCESS_DENIED));
    const error = await failure(store.put('a', Buffer.from('b')));
    expect(outageOf(error)).toBeUndefined();
    expect(isUnrecoverable(error)).toBe(true);
  });

  it('tolerates a reader that is slower than the timeout', async () => {
    const bytes = Buffer.alloc(400_000, 1);
    const store = await storeBehind((_request, response) => response.end(bytes));
    const body = await store.get('a');
    await new Promise((resolve) => body.once('readable', resolve));
    const end = Date.now() + 700;
    await waitUntil(() => Date.now() > end);
    expect((await buffer(body)).equals(bytes)).toBe(true);
  });
});
