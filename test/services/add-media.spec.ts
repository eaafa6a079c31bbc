import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import { filesForm, formOf } from '../support/api-client';
import { zipOf } from '../support/archive-bytes';
import { Additions } from '../support/additions';
import { pictureBytes } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';

describe('adding media to an S3 store', () => {
  const client = connectS3(testS3());
  let running: TestApp;
  let additions: Additions;
  let store: string;
  let source: string;
  let id: string;

  beforeAll(async () => {
    const s3 = testS3();
    [store, source] = [await makeBucket(), await makeBucket()];
    await client.putObject(source, 'photos/first.jpg', await pictureBytes(1));
    running = await startTestApp({
      STORAGE_URL: `s3://${store}/service`,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_ACCESS_KEY: s3.accessKey,
      S3_SECRET_KEY: s3.secretKey,
      MEDIA_BUCKETS: source,
    });
    additions = new Additions(running);
    id = await additions.api.indexed('Additions', `s3://${source}/photos`);
  });

  afterAll(() => running.close());

  const add = (form: FormData, status = 202): Promise<unknown> =>
    additions.api.must(status, 'POST', `/api/v1/dataset/${id}/add_media`, form);
  const keys = async (prefix: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of client.listObjectsV2(store, `service/${prefix}`, true) as AsyncIterable<{
      name: string;
    }>)
      found.push(name);
    return found;
  };
  const paths = async (): Promise<string[]> => (await additions.rows(id)).map(({ path }) => path).sort();

  it('takes an archive, whose files are written directly to their keys', async () => {
    const large = Buffer.concat([await pictureBytes(2), Buffer.alloc(9_000_000, 1)]);
    const bytes = await pictureBytes(3);
    const members = [
      { name: 'deep/a.jpg', bytes, descriptor: 'narrow' },
      { name: 'same.jpg', bytes },
      { name: 'large.jpg', bytes: large, isStored: true },
    ] as const;
    await add(filesForm([{ name: 'all.zip', bytes: zipOf(members) }], 'archive'));
    await additions.ended(id);
    expect(await paths()).toEqual(['deep/a.jpg', 'first.jpg', 'large.jpg', 'same.jpg']);
    expect(await keys('staging/')).toEqual([]);
    expect(await keys('blobs/')).toHaveLength(2);
    await add(filesForm([{ name: 'all.zip', bytes: zipOf([...members, { name: '../x.jpg' }]) }], 'archive'), 400);
    expect(await keys('staging/')).toEqual([]);
  });

  it('takes a manifest from a bucket', async () => {
    await client.putObject(source, 'more/b.jpg', await pictureBytes(4));
    await client.putObject(source, 'c.jpg', await pictureBytes(5));
    const rows = `label,s3_uri\nx,b.jpg\ny,s3://${source}/c.jpg\nz,s3://${store}/service/blobs/d.jpg\n`;
    await client.putObject(source, 'more/list.csv', Buffer.from(rows));
    await add(formOf({ s3_uri: `s3://${source}/more/list.csv` }));
    expect(await additions.ended(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
    expect(await paths()).toEqual(expect.arrayContaining(['b.jpg', `${source}/c.jpg`]));
    await add(formOf({ s3_uri: `s3://${source}/none` }), 400);
  });
});
