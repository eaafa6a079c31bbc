import { text } from 'node:stream/consumers';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import {
  SourceNotAllowedError,
  SourceNotFoundError,
  type EnumeratedFile,
} from '../../src/common/platform/storage/sources/source-files';
import { makeBucket, testS3 } from './s3-environment';

const client = connectS3(testS3());

function sourcesOf(buckets: readonly string[], connection = testS3()) {
  const config = { storageUrl: 's3://the-store', s3: connection, mediaRoots: [], mediaBuckets: buckets };
  return createStorage({ ...config, secretKey: Buffer.alloc(32), baseUrl: 'http://127.0.0.1:3000' }).sources;
}

async function bucketWith(keys: readonly string[]): Promise<string> {
  const bucket = await makeBucket();
  for (let at = 0; at < keys.length; at += 64) {
    await Promise.all(keys.slice(at, at + 64).map((key) => client.putObject(bucket, key, Buffer.from(key))));
  }
  return bucket;
}

async function all(uri: string, buckets: readonly string[]): Promise<EnumeratedFile[]> {
  const found: EnumeratedFile[] = [];
  for await (const file of sourcesOf(buckets).enumerate(uri)) found.push(file);
  return found;
}
const paths = async (uri: string, bucket: string) => (await all(uri, [bucket])).map(({ path }) => path);

describe('a bucket as a source', () => {
  it('lists a prefix as a folder, without hidden objects', async () => {
    const bucket = await bucketWith([
      'p/a.jpg',
      'p/sub/b.jpg',
      'p/.hidden/c.jpg',
      'p/.d.jpg',
      'p2/e.jpg',
      'top.jpg',
      '007',
    ]);
    expect(await paths(`s3://${bucket}/p`, bucket)).toEqual(['a.jpg', 'sub/b.jpg']);
    expect(await paths(`s3://${bucket}/p/`, bucket)).toEqual(['a.jpg', 'sub/b.jpg']);
    expect(await paths(`s3://${bucket}`, bucket)).toEqual(
      expect.arrayContaining(['p/a.jpg', 'p/sub/b.jpg', 'p2/e.jpg', 'top.jpg']),
    );
    expect(await paths(`s3://${bucket}/top.jpg`, bucket)).toEqual(['top.jpg']);
    expect(await paths(`s3://${bucket}/nothing`, bucket)).toEqual([]);
  });

  it('reads each object by its location, whatever its name', async () => {
    const names = [
      'with space.jpg',
      `quo'te".jpg`,
      'ünï 日本 😀.jpg',
      '50%25.jpg',
      '#?&+.jpg',
      'a<b>.jpg',
      'new\nline.jpg',
    ];
    const bucket = await bucketWith(names.map((name) => `odd/${name}`));
    const sources = sourcesOf([bucket]);
    const found = await all(`s3://${bucket}/odd`, [bucket]);
    expect(found.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const file of found) {
      expect(await text(await sources.open(file.source))).toBe(`odd/${file.path}`);
      expect(await sources.stat(file.source)).toMatchObject({ size: file.size, etag: file.etag });
      expect(await sources.localPath(file.source)).toBeUndefined();
      const answer = await fetch(await sources.signedSourceUrl(file.source, { expiresInSeconds: 60 }));
      expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
        200,
        `odd/${file.path}`,
        'image/jpeg',
      ]);
    }
  });

  it('lists more than one page of the protocol', async () => {
    const keys = Array.from({ length: 1100 }, (_, i) => `many/${String(i).padStart(5, '0')}.jpg`);
    const bucket = await bucketWith(keys);
    expect((await all(`s3://${bucket}/many`, [bucket])).map(({ path }) => `many/${path}`)).toEqual(keys);
  });

  it('reads ranges, and reports missing and forbidden objects', async () => {
    const bucket = await bucketWith(['digits']);
    const sources = sourcesOf([bucket, 'no-such-bucket-here']);
    expect(await text(await sources.open(`s3://${bucket}/digits`, { start: 1, end: 3 }))).toBe('igi');
    await expect(sources.open(`s3://${bucket}/none`)).rejects.toThrow(
      new SourceNotFoundError(`Nothing is at s3://${bucket}/none.`),
    );
    await expect(sources.stat(`s3://${bucket}/none`)).rejects.toBeInstanceOf(SourceNotFoundError);
    await expect(all('s3://no-such-bucket-here/p', ['no-such-bucket-here'])).rejects.toThrow(
      'There is no bucket "no-such-bucket-here".',
    );
    for (const act of [
      () => sourcesOf([]).open(`s3://${bucket}/digits`),
      async () => sourcesOf([]).signedSourceUrl(`s3://${bucket}/digits`, { expiresInSeconds: 60 }),
    ]) {
      await expect(act()).rejects.toBeInstanceOf(SourceNotAllowedError);
    }
  });
});
