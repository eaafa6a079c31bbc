import { connectS3 } from '../../src/common/platform/storage/s3/s3-connection';
import { ApiClient, formOf } from '../support/api-client';
import { pictureBytes } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';

interface Page {
  readonly clusters: { previews: { original_uri: string; media_uri: string; media_thumb_uri: string }[] }[];
}

describe('a dataset on an S3 store', () => {
  let running: TestApp;
  let api: ApiClient;
  let source: string;

  beforeAll(async () => {
    const s3 = testS3();
    const store = await makeBucket();
    source = await makeBucket();
    const client = connectS3(s3);
    for (let seed = 0; seed < 8; seed += 1)
      await client.putObject(source, `photos/sub ${seed % 2}/${seed}.jpg`, await pictureBytes(seed));
    await client.putObject(source, 'photos/broken.jpg', Buffer.from('no picture'));
    await client.putObject(source, 'photos/image_annotations.csv', Buffer.from('filename,label\nsub 0/0.jpg,ball\n'));
    running = await startTestApp({
      STORAGE_URL: `s3://${store}/service`,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_ACCESS_KEY: s3.accessKey,
      S3_SECRET_KEY: s3.secretKey,
      MEDIA_BUCKETS: source,
    });
    api = new ApiClient(running.url);
  });

  afterAll(() => running.close());

  it('is indexed from a bucket by reference, with table, thumbnails and chunks in the store', async () => {
    const form = formOf({ dataset_name: 'Bucket', bucket_path: `s3://${source}/photos/` });
    const { dataset_id: id } = await api.must<{ dataset_id: string }>(200, 'POST', '/api/v1/dataset', form);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 8, source_type: 'BUCKET' });
    const page = await api.must<Page>(200, 'GET', `/api/v1/explore/${id}?entity_type=IMAGES&threshold=0`);
    const previews = page.clusters.flatMap((cluster) => cluster.previews);
    expect(previews).toHaveLength(8);
    for (const { media_uri, media_thumb_uri } of previews) {
      const [original, thumbnail] = await Promise.all([fetch(media_uri), fetch(media_thumb_uri)]);
      expect([original.status, thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([
        200,
        200,
        'image/webp',
      ]);
    }
    const labelled = await api.must<Page>(200, 'GET', `/api/v1/explore/${id}?labels=[ball]`);
    expect(labelled.clusters.flatMap((cluster) => cluster.previews.map((preview) => preview.original_uri))).toEqual([
      'sub 0/0.jpg',
    ]);
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}/quarantine`)).toMatchObject({ total: 1 });
  });

  it('accepts an upload', async () => {
    const { dataset_id: id } = await api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Upload',
    );
    const files = await Promise.all(
      [1, 2, 3].map(async (seed) => ({ name: `${seed}.jpg`, bytes: await pictureBytes(seed) })),
    );
    const transaction = await api.upload(id, files);
    await api.must(202, 'POST', `/api/v1/ingestion/${id}/process_files/${transaction}`);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 3 });
  });

  it('is refused for a bucket that is not in MEDIA_BUCKETS or is empty', async () => {
    const create = (path: string) =>
      api.ask('POST', '/api/v1/dataset', formOf({ dataset_name: 'x', bucket_path: path }));
    expect(await create('s3://somebody-elses/photos')).toMatchObject({ status: 500 });
    expect(await create(`s3://${source}/nothing-here/`)).toMatchObject({ status: 400 });
  });
});
