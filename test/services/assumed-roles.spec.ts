import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import { S3Roles } from '../../src/common/platform/storage/s3/s3-roles';
import { RoleRefusedError } from '../../src/common/platform/storage/sources/source-files';
import { parseSource, withRole } from '../../src/common/platform/storage/sources/source-location';
import { Additions } from '../support/additions';
import { formOf } from '../support/api-client';
import { pictureBytes, writePicture } from '../support/pictures';
import { startTestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';

const ROLE = 'arn:aws:iam::123456789012:role/team/reader';
const client = connectS3(testS3());

const sourcesOf = (bucket: string, connection = testS3()) =>
  createStorage({
    storageUrl: 's3://the-store',
    s3: connection,
    mediaRoots: [],
    mediaBuckets: [bucket],
    secretKey: Buffer.alloc(32),
    baseUrl: 'http://127.0.0.1:3000',
  }).sources;

describe('an assumed role', () => {
  it('reads media at its location', async () => {
    const bucket = await makeBucket();
    await client.putObject(bucket, 'folder/a b.jpg', Buffer.from('bytes'));
    const sources = sourcesOf(bucket);
    const found = [];
    for await (const file of sources.enumerate(withRole(`s3://${bucket}/folder`, ROLE))) found.push(file);
    expect(found.map(({ path }) => path)).toEqual(['a b.jpg']);
    const { source } = found[0]!;
    expect(parseSource(source)).toEqual({ kind: 's3', bucket, key: 'folder/a b.jpg', role: ROLE });
    const read = await Promise.all(Array.from({ length: 20 }, async () => text(await sources.open(source))));
    expect(new Set(read)).toEqual(new Set(['bytes']));
    expect(await sources.stat(source)).toMatchObject({ size: 5 });
    expect(await sources.signedSourceUrl(source, { expiresInSeconds: 60 })).toMatch(
      /^http:\/\/127\.0\.0\.1:3000\/api\/v1\/media\/s3\//,
    );
  });

  it('has separate credentials, requested once for all readers', async () => {
    const bucket = await makeBucket();
    const roles = new S3Roles(testS3());
    const clients = await Promise.all(Array.from({ length: 20 }, () => roles.clientOf(ROLE)));
    expect(new Set(clients).size).toBe(1);
    const addresses = await Promise.all(clients.map((each) => each.presignedGetObject(bucket, 'a.jpg', 60)));
    const tokens = addresses.map((address) => new URL(address).searchParams.get('X-Amz-Security-Token'));
    expect(new Set(tokens)).toEqual(new Set([expect.any(String)]));
    expect(addresses[0]).not.toContain(testS3().accessKey);
  });

  it('fails if the store does not permit it or does not support roles', async () => {
    const bucket = await makeBucket();
    const stranger = sourcesOf(bucket, { ...testS3(), secretKey: 'not-the-secret' });
    await expect(stranger.assumeRole(ROLE)).rejects.toBeInstanceOf(RoleRefusedError);
    await expect(stranger.assumeRole(ROLE)).rejects.toThrow(
      /^The role arn:aws:iam::123456789012:role\/team\/reader can't be assumed at the S3 store: \w+/,
    );
    for (const answer of ['<html></html>', '<Error><Code>MethodNotAllowed</Code></Error>', 'nothing', '']) {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(405).end(answer);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await expect(sourcesOf(bucket, { ...testS3(), endpoint }).assumeRole(ROLE)).rejects.toThrow(
        /can't be assumed at the S3 store: the store does not support roles \(STS\)/,
      );
      server.close();
    }
    const nobody = sourcesOf(bucket, { ...testS3(), endpoint: 'http://127.0.0.1:1' });
    await expect(nobody.assumeRole(ROLE)).rejects.not.toBeInstanceOf(RoleRefusedError);
  });

  it('is used for the media of a batch, from listing to displaying them', async () => {
    const bucket = await makeBucket();
    const { endpoint, region, accessKey, secretKey } = testS3();
    const running = await startTestApp({
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      MEDIA_BUCKETS: bucket,
    });
    try {
      const additions = new Additions(running);
      await writePicture(`${running.folder}/source/first.jpg`, 1);
      const id = await additions.api.indexed('Roles', `${running.folder}/source`);
      const bytes = await pictureBytes(2);
      await client.putObject(bucket, 'lists/deep/a.jpg', bytes);
      await client.putObject(bucket, 'lists/b.jpg', await pictureBytes(3));
      await client.putObject(bucket, 'lists/all.txt', Buffer.from(`deep/a.jpg\ns3://${bucket}/lists/b.jpg\n`));
      const form = formOf({ s3_uri: `s3://${bucket}/lists/all.txt`, assume_role: ROLE });
      await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, form);
      expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 0 });
      const rows = await additions.rows(id);
      expect(rows.map(({ path }) => path).sort()).toEqual(['b.jpg', 'deep/a.jpg', 'first.jpg']);
      const row = rows.find(({ path }) => path === 'deep/a.jpg')!;
      const detail = await additions.api.must<{ original_uri: string; media_uri: string }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/media/${row.id}`,
      );
      expect(detail.original_uri).toBe('deep/a.jpg');
      const picture = await fetch(detail.media_uri, { headers: { range: 'bytes=0-9' } });
      expect(picture.status).toBe(206);
      expect(Buffer.from(await picture.arrayBuffer())).toEqual(bytes.subarray(0, 10));
    } finally {
      await running.close();
    }
  });
});
