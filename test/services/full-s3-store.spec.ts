import { join } from 'node:path';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../src/common/platform/storage/storage.module';
import { WORK_PREFIX } from '../../src/modules/tables/analysis/file-list';
import { ApiClient } from '../support/api-client';
import { ExportClient } from '../support/export-client';
import { writePicture } from '../support/pictures';
import { SnapshotClient } from '../support/snapshot-client';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';
import { FillingS3 } from './filling-s3';
import { makeBucket, testS3 } from './s3-environment';

const FILES = 40;

interface Task {
  readonly status_message: string;
}

/** Returns true once: for the n-th write whose key contains `part`. */
function atWrite(part: string, nth: number): (key: string) => boolean {
  let seen = 0;
  return (key) => key.includes(part) && ++seen === nth;
}

describe('an export to an S3 store that becomes full', () => {
  let running: TestApp | undefined;
  let s3: FillingS3 | undefined;

  afterEach(async () => {
    await running?.close();
    await s3?.close();
  });

  const startOver = async (filling: FillingS3): Promise<TestApp> => {
    const store = testS3();
    running = await startTestApp({
      STORAGE_URL: `s3://${await makeBucket()}/service`,
      S3_ENDPOINT: filling.endpoint,
      S3_REGION: store.region,
      S3_ACCESS_KEY: store.accessKey,
      S3_SECRET_KEY: store.secretKey,
    });
    return running;
  };
  const writeSource = async ({ folder }: TestApp): Promise<string> => {
    const source = join(folder, 'source');
    for (let seed = 0; seed < FILES; seed += 1) await writePicture(join(source, `${seed}.jpg`), seed);
    return source;
  };

  it.each([
    ['the list of the source', `service/${WORK_PREFIX}`, 1],
    ['a thumbnail', 'service/thumbs/', 20],
    ['the rows of a chunk', `service/${WORK_PREFIX}`, 2],
    ['the table', 'service/tables/', 1],
    ['the end of the table', '_versions', 1],
  ])(
    'waits without room for %s, publishes nothing incomplete, and completes once there is room',
    async (_, part, nth) => {
      s3 = await FillingS3.before(testS3().endpoint, atWrite(part, nth));
      const app = await startOver(s3);
      const api = new ApiClient(app.url);
      const source = await writeSource(app);
      const id = await api.createFromFolder('Full', source);

      await waitUntil(async () => {
        const { tasks } = await api.must<{ tasks: Task[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
        return /^Waiting for room in the store s3:.* since /.test(tasks[0]!.status_message);
      });
      expect(s3.refused).toBeGreaterThan(0);
      expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
        status_new: 'INDEXING',
        n_images: 0,
      });
      expect(await api.must(200, 'GET', `/api/v1/explore/${id}`)).toMatchObject({ clusters: [] });

      s3.makeRoom();
      expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: FILES, fatal_error_msg: null });
    },
  );

  it('fails with the reason, leaves no data, and succeeds once there is room', async () => {
    s3 = await FillingS3.before(testS3().endpoint, atWrite('service/exports/', 1));
    const app = await startOver(s3);
    const api = new ApiClient(app.url);
    const id = await new SnapshotClient(api).indexed('Full', await writeSource(app));
    const exports = new ExportClient(api);
    const left = async (): Promise<string[]> =>
      (await app.app.get<ObjectStore>(OBJECT_STORE).list('exports/')).objects.map(({ key }) => key);

    const refused = await exports.start(id, 'export_format=json&include_images=true');
    const over = await exports.untilOver(id, refused);
    expect(over).toMatchObject({ status: 'FAILED', download_uri: null });
    expect(over.result_message).toMatch(/^The store s3:.* is full: make room or give it more, then try again$/);
    expect(s3.refused).toBeGreaterThan(0);
    expect(await left()).toEqual([]);

    s3.makeRoom();
    const taken = await exports.start(id, 'export_format=json&include_images=true');
    expect((await exports.archive(id, taken)).size).toBe(FILES + 1);
    expect(await left()).toEqual([expect.stringContaining(taken.id)]);
  });
});
