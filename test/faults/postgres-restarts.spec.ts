import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client';
import { embeddedUrl, freePort, Program } from '../support/program';
import { waitUntil } from '../support/wait-until';
import { assertWhole, writeMedia } from './indexing-journal';

/** Several parts, so that there is something left to analyse after the first. */
const FILES = 900;

async function postmasterPid(dataDir: string): Promise<number> {
  const lines = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(lines.split('\n')[0]);
}

describe('the program, whose Postgres is killed while it indexes', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-postgres-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it('restarts it and resumes, with each file once', async () => {
    const dataDir = join(folder, 'data');
    const source = join(folder, 'source');
    const { paths, broken } = await writeMedia(source, FILES, 1);
    const program = await Program.start(dataDir, await freePort(), { env: { LOG_LEVEL: 'ERROR' } });
    try {
      const api = new ApiClient(program.url);
      const id = await api.createFromFolder('Restarts', source);
      // Twice: while files are analysed, and once there is a chunk to go on from.
      for (const part of [0, 0.4]) {
        await waitUntil(async () => (await analysed(api, id)) >= part * FILES || (await statusOf(api, id)) === 'READY');
        const killed = await postmasterPid(dataDir);
        process.kill(killed, 'SIGKILL');
        await waitUntil(async () => (await postmasterPid(dataDir).catch(() => killed)) !== killed);
      }
      await waitUntil(async () => (await statusOf(api, id)) === 'READY');
      await assertWhole({ id, paths, broken }, await embeddedUrl(dataDir), join(dataDir, 'store', 'tables'));
      expect(await api.must(200, 'GET', '/health/ready')).toMatchObject({ parts: { postgres: 'up' } });
      expect(await program.stop()).toBe(0);
    } finally {
      await program.stop('SIGKILL');
    }
  }, 120_000);
});

/** What the service answers while Postgres is away is an error, not a wrong number. */
async function analysed(api: ApiClient, id: string): Promise<number> {
  const { status, body } = await api.ask('GET', `/api/v1/tasks?dataset_id=${id}`);
  if (status !== 200) return 0;
  const [task] = (body as { tasks: { status_message: string | null }[] }).tasks;
  return Number(/^Analysed (\d+) of/.exec(task?.status_message ?? '')?.[1] ?? 0);
}

async function statusOf(api: ApiClient, id: string): Promise<string | undefined> {
  const { status, body } = await api.ask('GET', `/api/v1/dataset/${id}`);
  const dataset = body as { status_new: string; fatal_error_msg: string | null };
  if (status !== 200) return undefined;
  if (dataset.status_new === 'ERROR') throw new Error(`The dataset failed: ${dataset.fatal_error_msg}`);
  return dataset.status_new;
}
