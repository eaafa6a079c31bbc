import { connect } from '@lancedb/lancedb';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeObjectStore } from '../../src/common/platform/storage/object-store.contract';
import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import { S3ObjectStore } from '../../src/common/platform/storage/s3/s3-object-store';
import { makeBucket, testS3 } from './s3-environment';

const storeIn = (bucket: string, prefix = '', multipartCopyAbove = 5 * 1024 ** 3) =>
  new S3ObjectStore({ connection: testS3(), bucket, prefix, multipartCopyAbove });

describeObjectStore('a bucket', async () => storeIn(await makeBucket()));
describeObjectStore('a prefix of a bucket', async () => storeIn(await makeBucket(), 'some/prefix'));

describe('S3ObjectStore', () => {
  it('keeps two prefixes of one bucket apart', async () => {
    const bucket = await makeBucket();
    await storeIn(bucket, 'one').put('k', Buffer.from('1'));
    await storeIn(bucket, 'one-more').put('k', Buffer.from('2'));
    await storeIn(bucket, 'one').deletePrefix('k');
    expect((await storeIn(bucket).list('')).objects.map(({ key }) => key)).toEqual(['one-more/k']);
  });

  it('lists and deletes more than one page of the protocol', async () => {
    const store = storeIn(await makeBucket(), 'p');
    const keys = Array.from({ length: 1203 }, (_, i) => `many/${String(i).padStart(5, '0')}.bin`);
    for (let at = 0; at < keys.length; at += 64)
      await Promise.all(keys.slice(at, at + 64).map((key) => store.put(key, Buffer.from(key))));
    const page = await store.list('many/', { limit: 1100 });
    expect(page.objects.map(({ key }) => key)).toEqual(keys.slice(0, 1100));
    expect((await store.list('many/', { after: page.next! })).objects.map(({ key }) => key)).toEqual(keys.slice(1100));
    await store.deletePrefix('many/');
    expect(await store.list('')).toEqual({ objects: [] });
  });

  it('copies large objects in parts', async () => {
    const store = storeIn(await makeBucket(), '', 6 * 1024 * 1024);
    const body = randomBytes(15 * 1024 * 1024);
    await store.put('from a+b.jpg', body);
    await store.copy('from a+b.jpg', 'to.jpg');
    expect((await buffer(await store.get('to.jpg'))).equals(body)).toBe(true);
  });

  it('signs URLs that the store serves with type, name and ranges', async () => {
    const store = storeIn(await makeBucket(), 'p');
    await store.put('pictures/a b.jpg', Buffer.from('0123456789'));
    const url = await store.signedUrl('pictures/a b.jpg', { expiresInSeconds: 600 });
    expect(await store.signedUrl('pictures/a b.jpg', { expiresInSeconds: 600 })).toBe(url);
    const shown = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([shown.status, await shown.text(), shown.headers.get('content-type')]).toEqual([206, '234', 'image/jpeg']);
    expect(shown.headers.get('content-disposition')).toBe(`inline; filename="a b.jpg"; filename*=UTF-8''a%20b.jpg`);
    const options = { expiresInSeconds: 600, downloadName: 'größe "1".zip', contentType: 'application/zip' };
    const saved = await fetch(await store.signedUrl('pictures/a b.jpg', options));
    expect(saved.headers.get('content-type')).toBe('application/zip');
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="gr__e _1_.zip"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.zip`,
    );
    expect((await fetch(url.replace('a%20b', 'other'))).status).toBe(403);
  });

  it('never serves content that a browser would run as a page', async () => {
    const store = storeIn(await makeBucket());
    await store.put('evil.svg', Buffer.from('<svg/>'));
    const answer = await fetch(await store.signedUrl('evil.svg', { expiresInSeconds: 60 }));
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('reports why it cannot be used in one sentence', async () => {
    await expect(storeIn('no-such-bucket-here').check()).rejects.toThrow(
      /^The S3 store at .* has no bucket "no-such-bucket-here". Create it first\.$/,
    );
    const bucket = await makeBucket();
    const wrongKey = new S3ObjectStore({ connection: { ...testS3(), secretKey: 'wrong-secret' }, bucket, prefix: '' });
    await expect(wrongKey.check()).rejects.toThrow(
      /refuses the access key for the bucket .* \(SignatureDoesNotMatch\)\.$/,
    );
    const unreachable = new S3ObjectStore({
      connection: { ...testS3(), endpoint: 'http://127.0.0.1:1' },
      bucket,
      prefix: '',
    });
    await expect(unreachable.check()).rejects.toThrow(
      /^The S3 store at http:\/\/127\.0\.0\.1:1 can't be used: .*ECONNREFUSED/,
    );
  });

  it('leaves no parts behind when a large put fails', async () => {
    const bucket = await makeBucket();
    const store = storeIn(bucket);
    const broken = Readable.from(
      (function* () {
        for (let i = 0; i < 20; i++) yield randomBytes(1024 * 1024);
        throw new Error('cut off');
      })(),
    );
    await expect(store.put('big', broken)).rejects.toThrow('cut off');
    const query = { method: 'GET', bucketName: bucket, query: 'uploads' };
    const answer = await buffer(await connectS3(testS3()).makeRequestAsync(query));
    expect(answer.toString()).not.toContain('<Upload>');
  });
});

describe('Lance tables in an S3 store', () => {
  it('are created, appended to concurrently, and opened by version', async () => {
    const { uri, storageOptions } = storeIn(await makeBucket(), 'deep/prefix').lanceLocation('generations/g1');
    const db = await connect(uri, { storageOptions: { ...storageOptions } });
    const table = await db.createTable('media', [{ id: 1, vector: [0.1, 0.2] }]);
    const first = await table.version();
    await Promise.all(
      Array.from({ length: 6 }, async (_, i) => (await db.openTable('media')).add([{ id: i + 2, vector: [i, 1] }])),
    );
    const reader = await (await connect(uri, { storageOptions: { ...storageOptions } })).openTable('media');
    expect(await reader.countRows()).toBe(7);
    await reader.checkout(first);
    expect(await reader.countRows()).toBe(1);
  });

  it('are listed and removed by the store', async () => {
    const store = storeIn(await makeBucket(), 'p');
    const { uri, storageOptions } = store.lanceLocation('generations/g1');
    await (await connect(uri, { storageOptions: { ...storageOptions } })).createTable('media', [{ id: 1 }]);
    expect((await store.list('generations/g1/')).objects.length).toBeGreaterThan(1);
    await store.deletePrefix('generations/g1/');
    expect(await store.list('generations/')).toEqual({ objects: [] });
  });
});
