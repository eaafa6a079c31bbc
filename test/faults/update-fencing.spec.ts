import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { ApiClient, formOf } from '../support/api-client';
import { freePort, Program } from '../support/program';
import { expireLeases, ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';
import { allOr } from './failpoints';
import { assertWhole, writeMedia } from './indexing-journal';

const secretKey = randomBytes(32).toString('base64');

describe('a worker that was suspended beyond its lease during an addition', () => {
  let home: ProgramHome;

  beforeEach(async () => {
    home = await ProgramHome.make({ FAILPOINT_SIGNAL: 'SIGSTOP', LOG_LEVEL: 'INFO', SECRET_KEY: secretKey });
    await home.start();
  });

  afterEach(() => home.remove());

  it.each(allOr<Failpoint>(['table-written'], ['compared', 'table-written']))(
    'publishes nothing, before or after adding its rows: %s',
    async (point) => {
      const { folder, databaseUrl, store, program: paused } = home;
      const batch = async (at: number): Promise<{ source: string; paths: string[]; broken: string[] }> => {
        const source = join(folder, `batch-${at}`);
        return { source, ...(await writeMedia(source, 5, 1 + at * 5)) };
      };
      const [first, second, third] = [await batch(0), await batch(1), await batch(2)];
      const id = await home.api.indexed(point, first.source);
      const add = (api: ApiClient, uri: string): Promise<unknown> =>
        api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, formOf({ s3_uri: uri }));
      const expectWhole = (paths: readonly string[]): Promise<void> =>
        assertWhole({ id, paths, broken: first.broken, status: 'PARTIAL INDEX' }, databaseUrl, join(store, 'tables'));
      await home.arm(point);
      await add(home.api, second.source);
      await waitUntil(async () => !(await paused.answers()));
      await expireLeases(databaseUrl);

      const other = await Program.start(join(folder, 'other-data'), await freePort(), {
        env: {
          DATABASE_URL: databaseUrl,
          STORAGE_URL: pathToFileURL(store).href,
          MEDIA_ROOTS: folder,
          SECRET_KEY: secretKey,
        },
      });
      try {
        const api = new ApiClient(other.url);
        await api.untilStatus(id, ['PARTIAL INDEX']);
        await expectWhole([...first.paths, ...second.paths]);
        paused.signal('SIGCONT');
        await waitUntil(() => paused.output.includes('was lost'));
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
