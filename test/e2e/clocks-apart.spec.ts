import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiClient, filesForm } from '../support/api-client';
import { ExportClient } from '../support/export-client';
import { pictureBytes, writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { SnapshotClient } from '../support/snapshot-client';
import { appSchema } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { waitUntil } from '../support/wait-until';
import { WebhookReceiver } from '../support/webhook-receiver';

const TEN_MINUTES_MS = 600_000;
const SHIFTED_CLOCK = resolve(__dirname, '..', 'support', 'programs', 'shifted-clock.cjs');

/** Far below the difference of the clocks, but long enough for a busy machine. */
const SOON_MS = 110_000;

describe.each([
  { name: 'an api whose clock is ahead', ahead: { api: TEN_MINUTES_MS, worker: -TEN_MINUTES_MS } },
  { name: 'a worker whose clock is ahead', ahead: { api: -TEN_MINUTES_MS, worker: TEN_MINUTES_MS } },
])('$name by twenty minutes of the other', ({ ahead }) => {
  let folder: string;
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  const programs: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-clocks-'));
    database = await createTestDatabase(appSchema);
    // The first attempt of each delivery fails.
    receiver = await WebhookReceiver.start((_received, response, times) => {
      response.statusCode = times === 1 ? 500 : 200;
      response.end();
    });
  });

  afterAll(async () => {
    for (const program of programs) await program.stop('SIGKILL');
    await receiver.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('index, add, export and call webhooks without delay, as with one clock', async () => {
    const secretKey = randomBytes(32).toString('base64');
    const launch = async (role: 'api' | 'worker'): Promise<Program> => {
      const program = Program.launch(join(folder, role), await freePort(), {
        args: [],
        env: {
          ROLE: role,
          DATABASE_URL: database.url,
          STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
          SECRET_KEY: secretKey,
          WORKER_CONCURRENCY: '1',
          WEBHOOK_HOSTS: '127.0.0.1',
          MEDIA_ROOTS: join(folder, 'media'),
          NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`,
          CLOCK_AHEAD_MS: String(ahead[role]),
        },
      });
      programs.push(program);
      return program;
    };
    for (const seed of [1, 2, 3]) await writePicture(join(folder, 'media', `${seed}.jpg`), seed);
    const [front, worker] = await Promise.all([launch('api'), launch('worker')]);
    await Promise.all([front.ready(), worker.ready()]);
    const api = new ApiClient(front.url);
    const began = Date.now();
    const id = await api.indexed('Apart', join(folder, 'media'));
    await api.must(200, 'POST', `/api/v1/dataset/${id}/webhooks`, {
      url: `${receiver.url}/apart`,
      events: ['task.completed'],
    });
    await api.must(
      202,
      'POST',
      `/api/v1/dataset/${id}/add_media`,
      filesForm([{ name: 'more.jpg', bytes: await pictureBytes(7) }]),
    );
    await api.untilStatus(id, ['PARTIAL INDEX']);
    await waitUntil(() => receiver.received.length >= 2);
    await api.must(202, 'POST', `/api/v1/dataset/${id}/reindex`);
    await api.untilStatus(id, ['READY']);
    const exports = new ExportClient(api);
    const task = await exports.untilCompleted(id, await exports.start(id, 'export_format=json'));
    expect((await exports.archive(id, task)).size).toBeGreaterThan(0);
    const { snapshot_id: kept } = await new SnapshotClient(api).keep(id, 'Kept');
    await new SnapshotClient(api).restore(id, kept);
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    for (const { headers } of receiver.received)
      expect(Math.abs(Number(headers['x-dms-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
  });
});
