import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStorage } from '../create-storage';
import { type SignedUrl, StoreUnusableError } from '../object-store';
import { S3ObjectStore } from './s3-object-store';

/** A store that ignores conditional writes. */
async function startStoreWithoutConditions(): Promise<{ server: Server; store: S3ObjectStore }> {
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
  it('rejects a store that ignores If-None-Match, in one sentence', async () => {
    const { server, store } = await startStoreWithoutConditions();
    const refusal = store.check();
    await expect(refusal).rejects.toBeInstanceOf(StoreUnusableError);
    await expect(refusal).rejects.toThrow(
      /ignores If-None-Match on writes, so two writers could lose each other's work: use a store with conditional writes\.$/,
    );
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
});

describe('a link to an object', () => {
  const connection = {
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    accessKey: 'key',
    secretKey: 'secret-key',
  };
  const link = (publicEndpoint: object): SignedUrl =>
    new S3ObjectStore({ connection: { ...connection, ...publicEndpoint }, bucket: 'bucket', prefix: 'p' }).signedUrl(
      'a.jpg',
      { expiresInSeconds: 60 },
    );

  it('uses the public endpoint, if there is one', async () => {
    expect(await link({})).toMatch(/^http:\/\/127\.0\.0\.1:9\/bucket\/p\/a\.jpg\?.*X-Amz-Signature=/);
    expect(await link({ publicEndpoint: 'https://store.example.com' })).toMatch(
      /^https:\/\/store\.example\.com\/bucket\/p\/a\.jpg\?.*X-Amz-Signature=/,
    );
  });

  it('uses the public endpoint for buckets of sources too', async () => {
    const { sources } = createStorage({
      storageUrl: 's3://bucket',
      s3: { ...connection, publicEndpoint: 'https://store.example.com' },
      mediaRoots: [],
      mediaBuckets: ['photos'],
      secretKey: Buffer.alloc(32),
      baseUrl: 'http://127.0.0.1',
    });
    expect(await sources.signedSourceUrl('s3://photos/a.jpg', { expiresInSeconds: 60 })).toMatch(
      /^https:\/\/store\.example\.com\/photos\/a\.jpg\?/,
    );
  });
});
