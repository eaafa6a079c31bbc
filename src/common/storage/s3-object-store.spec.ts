import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StoreUnusableError } from './object-store';
import { S3ObjectStore } from './s3-object-store';

/** A store that takes every write, as those do that know no conditions. */
async function startCareless(): Promise<{ server: Server; store: S3ObjectStore }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') response.end('<DeleteResult></DeleteResult>');
      else response.setHeader('ETag', '"1"').end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = { endpoint, region: 'us-east-1', accessKey: 'key', secretKey: 'secret-key' };
  return { server, store: new S3ObjectStore({ connection, bucket: 'bucket', prefix: '' }) };
}

describe('the check of an S3 store', () => {
  it('refuses one that ignores If-None-Match, in one sentence', async () => {
    const { server, store } = await startCareless();
    const refusal = store.check();
    await expect(refusal).rejects.toBeInstanceOf(StoreUnusableError);
    await expect(refusal).rejects.toThrow(
      /ignores If-None-Match on writes, so two writers could lose each other's work: use a store with conditional writes\.$/,
    );
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
});
