import { toUSVString } from 'node:util';
import fc from 'fast-check';
import { contentDisposition } from '../links/content-headers';
import { connectPublicS3, type S3Connection } from './s3-connection';
import { S3Links } from './s3-links';

const NOW = Date.UTC(2026, 10, 26, 21, 7, 5);
const LIFETIME = 24 * 3600;
/** A multiple of a quarter of the lifetime. */
const SIGNED_AT = new Date(Date.UTC(2026, 10, 26, 18));

const connection: S3Connection = {
  endpoint: 'http://127.0.0.1:9000',
  region: 'us-east-1',
  accessKey: 'access',
  secretKey: 'secret/+key',
};

const asTheClient = (of: S3Connection, bucket: string, key: string, type: string, disposition: string) =>
  connectPublicS3(of).presignedGetObject(
    bucket,
    key,
    LIFETIME,
    { 'response-content-type': type, 'response-content-disposition': disposition },
    SIGNED_AT,
  );

const anyKey = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a b', "it's!", '(*)', '~.-_', '%2F'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join('/'))
  .filter((key) => key.length > 0 && key.length < 300 && toUSVString(key) === key);

describe('S3Links', () => {
  it.each<[string, S3Connection]>([
    ['with a port', connection],
    ['with a public endpoint', { ...connection, publicEndpoint: 'https://media.example.com' }],
    ['with another HTTPS port', { ...connection, publicEndpoint: 'https://media.example.com:8443' }],
    ['with an IPv6 address', { ...connection, endpoint: 'http://[::1]:9000' }],
    ['of Amazon S3', { ...connection, endpoint: 'https://s3.amazonaws.com', region: 'eu-central-1' }],
  ])('returns the same link as the client for an endpoint %s', async (_, of) => {
    const links = new S3Links(of, () => NOW);
    await fc.assert(
      fc.asyncProperty(anyKey, fc.constantFrom('bucket', 'my.bucket'), async (key, bucket) => {
        const name = key.slice(key.lastIndexOf('/') + 1);
        const link = await links.sign(bucket, key, key, { expiresInSeconds: LIFETIME, contentType: 'image/jpeg' });
        expect(link).toBe(await asTheClient(of, bucket, key, 'image/jpeg', contentDisposition('inline', name)));
      }),
      { numRuns: 60 },
    );
  });

  it('sets the file name for downloads', async () => {
    const links = new S3Links(connection, () => NOW);
    const link = await links.sign('bucket', 'exports/1', 'exports/1', {
      expiresInSeconds: LIFETIME,
      downloadName: 'häuser & co.zip',
    });
    const disposition = contentDisposition('attachment', 'häuser & co.zip');
    expect(link).toBe(await asTheClient(connection, 'bucket', 'exports/1', 'application/octet-stream', disposition));
  });

  it('returns the same link until a quarter of its lifetime has passed', async () => {
    let now = SIGNED_AT.getTime();
    const links = new S3Links(connection, () => now);
    const sign = () => links.sign('bucket', 'a.jpg', 'a.jpg', { expiresInSeconds: LIFETIME });
    const first = await sign();
    now += (LIFETIME / 4) * 1000 - 1;
    expect(await sign()).toBe(first);
    now += 1;
    expect(await sign()).not.toBe(first);
  });

  it('returns different links for other objects, names, types and lifetimes, even if they are cached', async () => {
    const links = new S3Links(connection, () => NOW);
    const all = async (): Promise<string[]> => [
      await links.sign('bucket', 'a.jpg', 'a.jpg', { expiresInSeconds: LIFETIME }),
      await links.sign('other', 'a.jpg', 'a.jpg', { expiresInSeconds: LIFETIME }),
      await links.sign('bucket', 'b.jpg', 'a.jpg', { expiresInSeconds: LIFETIME }),
      await links.sign('bucket', 'a.jpg', 'b.jpg', { expiresInSeconds: LIFETIME }),
      await links.sign('bucket', 'a.jpg', 'a.jpg', { expiresInSeconds: LIFETIME, contentType: 'image/webp' }),
      await links.sign('bucket', 'a.jpg', 'a.jpg', { expiresInSeconds: LIFETIME, downloadName: 'c.jpg' }),
      await links.sign('bucket', 'a.jpg', 'a.jpg', { expiresInSeconds: 60 }),
    ];
    const first = await all();
    expect(new Set(first).size).toBe(first.length);
    expect(await all()).toEqual(first);
  });

  it('calls the client again after it failed', async () => {
    const links = new S3Links(connection, () => NOW);
    const options = { expiresInSeconds: LIFETIME };
    for (let time = 0; time < 2; time++)
      await expect(async () => links.sign('No bucket', 'a.jpg', 'a.jpg', options)).rejects.toThrow(/bucket name/);
    expect(await links.sign('bucket', 'a.jpg', 'a.jpg', options)).toContain('/bucket/a.jpg?');
  });
});
