import { join } from 'node:path';
import { WORK_PREFIX } from '../../src/modules/ingestion/jobs/file-list';
import { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { FillingS3 } from './filling-s3';
import { makeBucket, testS3 } from './s3-environment';

const FILES = 40;

/** Says yes once: when the key of a write contains this for the n-th time. */
function atWrite(part: string, nth: number): (key: string) => boolean {
  let seen = 0;
  return (key) => key.includes(part) && ++seen === nth;
}

describe('an S3 store that fills up while a dataset is indexed', () => {
  let running: TestApp | undefined;
  let s3: FillingS3 | undefined;

  afterEach(async () => {
    await running?.close();
    await s3?.close();
  });

  it.each([
    ['the list of the source', `service/${WORK_PREFIX}`, 1],
    ['a thumbnail', 'service/thumbs/', 20],
    ['the rows of a chunk', `service/${WORK_PREFIX}`, 2],
    ['the table', 'service/tables/', 1],
    ['the end of the table', '_versions', 1],
  ])('ends in ERROR with no room for %s, shows nothing half done, and is READY once there is', async (_, part, nth) => {
    const store = testS3();
    s3 = await FillingS3.before(store.endpoint, atWrite(part, nth));
    running = await startTestApp({
      STORAGE_URL: `s3://${await makeBucket()}/service`,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: store.region,
      S3_ACCESS_KEY: store.accessKey,
      S3_SECRET_KEY: store.secretKey,
    });
    const api = new ApiClient(running.url);
    const source = join(running.folder, 'source');
    for (let seed = 0; seed < FILES; seed += 1) await writePicture(join(source, `${seed}.jpg`), seed);
    const id = await api.createFromFolder('Full', source);

    await expect(api.untilStatus(id, ['READY'])).rejects.toThrow(/The store s3:.* is full: make room or give it more/);
    expect(s3.refused).toBeGreaterThan(0);
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'ERROR', n_images: 0 });
    expect(await api.must(200, 'GET', `/api/v1/explore/${id}`)).toMatchObject({ clusters: [] });

    s3.makeRoom();
    const { tasks } = await api.must<{ tasks: { task_id: string }[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    await api.must(200, 'POST', `/api/v1/tasks/${tasks[0]!.task_id}/retry`);
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: FILES, fatal_error_msg: null });
  });
});
