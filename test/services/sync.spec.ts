import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import { Additions } from '../support/additions';
import { pictureBytes } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';

describe('sync with a bucket', () => {
  const s3 = testS3();
  const client = connectS3(s3);
  let running: TestApp;
  let additions: Additions;
  let bucket: string;

  beforeAll(async () => {
    const store = await makeBucket();
    bucket = await makeBucket();
    running = await startTestApp({
      STORAGE_URL: `s3://${store}/service`,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_ACCESS_KEY: s3.accessKey,
      S3_SECRET_KEY: s3.secretKey,
      MEDIA_BUCKETS: bucket,
    });
    additions = new Additions(running);
  });

  afterAll(() => running.close());

  const put = async (key: string, seed: number): Promise<void> => {
    await client.putObject(bucket, key, await pictureBytes(seed));
  };
  const paths = async (id: string): Promise<string[]> => (await additions.rows(id)).map(({ path }) => path).sort();

  it('detects new, changed and removed objects by their ETags', async () => {
    for (const seed of [0, 1, 2, 3]) await put(`photos/sub dir/${seed}.jpg`, seed);
    await put('photos-of-others/9.jpg', 9);
    const id = await additions.api.indexed('Bucket', `s3://${bucket}/photos`);
    await additions.addFolder(id, `s3://${bucket}/photos-of-others/`);
    await additions.ended(id);

    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync?prune=true`);
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', warnings: [] });

    const before = new Map((await additions.rows(id)).map((row) => [row.path, row.id]));
    await put('photos/sub dir/1.jpg', 81);
    await put('photos/sub dir/3.jpg', 3);
    await put('photos/4.jpg', 4);
    await client.removeObject(bucket, 'photos/sub dir/2.jpg');
    await client.removeObject(bucket, 'photos-of-others/9.jpg');
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/sync?prune=true`);
    expect(await additions.ended(id)).toMatchObject({
      status: 'COMPLETED',
      warnings: [
        '1 file has changed and was replaced.',
        '1 file that is gone from the source was removed: sub dir/2.jpg.',
      ],
    });
    expect(await paths(id)).toEqual(['4.jpg', '9.jpg', 'sub dir/0.jpg', 'sub dir/1.jpg', 'sub dir/3.jpg']);
    const after = new Map((await additions.rows(id)).map((row) => [row.path, row.id]));
    expect(after.get('sub dir/3.jpg')).toBe(before.get('sub dir/3.jpg'));
    expect(after.get('sub dir/1.jpg')).not.toBe(before.get('sub dir/1.jpg'));
  });
});
