import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AdvisoryLock } from '../../src/common/platform/database/advisory-lock';
import { connect, createDataSource } from '../../src/common/platform/database/data-source';
import { ApiClient, filesForm, formOf } from '../support/api-client';
import { EventStream } from '../support/event-stream';
import { pictureBytes, writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { waitUntil } from '../support/wait-until';
import { PgBouncerProcess } from './pgbouncer-process';

describe('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: PgBouncerProcess;
  let folder: string;

  beforeAll(async () => {
    // Empty, because both processes started below create the tables.
    database = await createTestDatabase({ entities: [], migrations: [] });
    bouncer = await PgBouncerProcess.start(database.url);
    folder = await mkdtemp(join(tmpdir(), 'dms-pooled-'));
  });

  afterAll(async () => {
    await bouncer.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('gives a lock to one process at a time, and leaves no setting on a shared connection', async () => {
    const sources = [1, 2].map(() =>
      createDataSource({ url: bouncer.url, applicationName: 'test', poolSize: 3, entities: [], migrations: [] }),
    );
    await Promise.all(sources.map((source) => connect(source)));
    const [first, second] = sources.map((source) => new AdvisoryLock(source));
    let inner: boolean | undefined;
    const outer = await first!.withAdvisoryLock('work', async () => {
      inner = await second!.withAdvisoryLock('work', () => Promise.resolve());
    });
    expect({ outer, inner }).toEqual({ outer: true, inner: false });
    await expect(second!.withAdvisoryLock('work', () => Promise.resolve())).resolves.toBe(true);
    const shown: unknown = await sources[0]!.query(
      "SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement",
    );
    expect(shown).toEqual([{ zone: 'UTC', statement: '0' }]);
    await Promise.all(sources.map((source) => source.destroy()));
  });

  it('two processes start concurrently, index a dataset and deliver its notifications', async () => {
    const variables = {
      DATABASE_URL: bouncer.url,
      STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
      SECRET_KEY: randomBytes(32).toString('base64'),
      MEDIA_ROOTS: folder,
    };
    const [front, worker] = await Promise.all(
      (['api', 'worker'] as const).map(async (role) =>
        Program.start(join(folder, role), await freePort(), { env: { ...variables, ROLE: role } }),
      ),
    );
    try {
      const api = new ApiClient(front!.url);
      for (const seed of [1, 2, 3]) await writePicture(join(folder, 'source', `${seed}.jpg`), seed);
      const id = await api.createFromFolder('Pooled', join(folder, 'source'));
      expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 3 });
      await api.must(200, 'POST', `/api/v1/dataset/${id}/views`, formOf({ name: 'All' }));
      const stream = await EventStream.open(front!.url);
      const more = filesForm([{ name: '4.jpg', bytes: await pictureBytes(4) }]);
      await api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, more);
      await waitUntil(() => stream.notifications.length === 1);
      stream.close();
      expect(front!.output).toContain('points to a pooler');
    } finally {
      expect(await Promise.all([front!.stop(), worker!.stop()])).toEqual([0, 0]);
    }
  });
});
