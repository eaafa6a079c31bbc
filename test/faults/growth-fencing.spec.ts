import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import type { Failpoint } from '../../src/common/config/failpoint';
import { ApiClient, formOf } from '../support/api-client';
import { embeddedUrl, freePort, Program } from '../support/program';
import { untilTrue } from '../support/until-true';
import { allOr } from './failpoints';
import { assertWhole, writeMedia } from './indexing-journal';

/** As time would, while the one that holds them stands still. */
async function letLeasesRunOut(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("UPDATE job_run SET lease_until = now() - interval '1 second' WHERE state = 'running'");
  await client.end();
}

const secretKey = randomBytes(32).toString('base64');

describe('a worker that stood still past its lease while a dataset grew', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-fencing-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it.each(allOr<Failpoint>(['table-written'], ['compared', 'table-written']))(
    'publishes nothing, whether it had added its rows or not: %s',
    async (point) => {
      const dataDir = join(folder, point, 'data');
      const batch = async (at: number): Promise<{ source: string; paths: string[]; broken: string[] }> => {
        const source = join(folder, point, `batch-${at}`);
        return { source, ...(await writeMedia(source, 5, 1 + at * 5)) };
      };
      const [first, second, third] = [await batch(0), await batch(1), await batch(2)];
      const port = await freePort();
      const paused = await Program.start(dataDir, port, {
        env: { FAILPOINT: `${point}:2`, FAILPOINT_SIGNAL: 'SIGSTOP', SECRET_KEY: secretKey },
      });
      const id = await new ApiClient(paused.url).createFromFolder(point, first.source);
      await new ApiClient(paused.url).untilStatus(id, ['READY']);
      const databaseUrl = await embeddedUrl(dataDir);
      const add = (api: ApiClient, uri: string): Promise<unknown> =>
        api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, formOf({ s3_uri: uri }));
      const expectWhole = (paths: readonly string[]): Promise<void> =>
        assertWhole(
          { id, paths, broken: first.broken, status: 'PARTIAL INDEX' },
          databaseUrl,
          join(dataDir, 'store', 'tables'),
        );
      await add(new ApiClient(paused.url), second.source);
      await untilTrue(async () => !(await paused.answers()));
      await letLeasesRunOut(databaseUrl);

      const other = await Program.start(join(folder, point, 'other-data'), await freePort(), {
        env: {
          DATABASE_URL: databaseUrl,
          STORAGE_URL: pathToFileURL(join(dataDir, 'store')).href,
          MEDIA_ROOTS: folder,
          SECRET_KEY: secretKey,
        },
      });
      try {
        const api = new ApiClient(other.url);
        await api.untilStatus(id, ['PARTIAL INDEX']);
        await expectWhole([...first.paths, ...second.paths]);
        paused.signal('SIGCONT');
        await untilTrue(() => paused.output.includes('was lost'));
        await expectWhole([...first.paths, ...second.paths]);
        await add(api, third.source);
        await api.untilStatus(id, ['READ ONLY']);
        await api.untilStatus(id, ['PARTIAL INDEX']);
        await expectWhole([...first.paths, ...second.paths, ...third.paths]);
        const { tasks } = await api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
        expect(tasks).toEqual(Array(3).fill(expect.objectContaining({ status: 'COMPLETED' })));
      } finally {
        await other.stop();
        paused.signal('SIGCONT');
        await paused.stop();
      }
    },
    180_000,
  );
});
