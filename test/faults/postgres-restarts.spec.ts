import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient, formOf } from '../support/api-client';
import { embeddedUrl, freePort, Program } from '../support/program';
import { waitUntil } from '../support/wait-until';
import { assertWhole, writeMedia } from './indexing-journal';

/** Several parts, so that some are left to analyse after the first. */
const FILES = 500;
const STOPS = Number(process.env['STOPS'] ?? 3);
const PER_STOP_MS = 30_000;
const LATEST_MS = 1_500;

async function postmasterPid(dataDir: string): Promise<number> {
  const lines = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(lines.split('\n')[0]);
}

/** Waits for a server process that differs from the one killed before, and kills it. */
async function kill(dataDir: string, before: number | undefined): Promise<number> {
  let pid = before;
  await waitUntil(async () => (pid = await postmasterPid(dataDir).catch(() => before)) !== before);
  process.kill(pid!, 'SIGKILL');
  return pid!;
}

describe(`the program, whose Postgres is killed ${STOPS} times`, () => {
  let folder: string;
  let dataDir: string;
  let program: Program;
  let api: ApiClient;
  const ids: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-postgres-'));
    dataDir = join(folder, 'data');
  });

  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const isReady = async (id: string): Promise<boolean> => (await statusOf(api, id)) === 'READY';

  const create = (source: string): Promise<void> =>
    waitUntil(async () => {
      const form = formOf({ dataset_name: `Restarts ${ids.length}`, bucket_path: source });
      const { status, body } = await api.ask('POST', '/api/v1/dataset', form);
      if (status === 200) ids.push((body as { dataset_id: string }).dataset_id);
      return status === 200;
    });

  const untilAnalysed = (part: number): Promise<void> =>
    waitUntil(async () => (await analysed(api, ids.at(-1)!)) >= part * FILES || (await isReady(ids.at(-1)!)));

  const untilReady = (): Promise<void> => waitUntil(() => isReady(ids.at(-1)!));

  it(
    'restarts it and resumes, with each file once',
    async () => {
      const source = join(folder, 'source');
      const { paths, broken } = await writeMedia(source, FILES, 1);
      program = await Program.start(dataDir, await freePort(), { env: { LOG_LEVEL: 'ERROR' } });
      try {
        api = new ApiClient(program.url);
        await create(source);
        const moments = [
          () => untilAnalysed(0),
          () => untilAnalysed(0.4),
          // During its recovery.
          () => delay(Math.random() * 100),
          () => untilReady(),
          () => create(source),
          () => delay(Math.random() * LATEST_MS),
        ];
        let killed: number | undefined;
        for (let stop = 0; stop < STOPS; stop += 1) {
          await moments[stop % moments.length]!();
          killed = await kill(dataDir, killed);
        }
        for (const id of ids) {
          await waitUntil(() => isReady(id));
          await assertWhole({ id, paths, broken }, await embeddedUrl(dataDir), join(dataDir, 'store', 'tables'));
        }
        expect(await api.must(200, 'GET', '/health/ready')).toMatchObject({ parts: { postgres: 'up' } });
        expect(await program.stop()).toBe(0);
      } finally {
        await program.stop('SIGKILL');
      }
    },
    90_000 + STOPS * PER_STOP_MS,
  );
});

/** While Postgres is unavailable, the service responds with an error, not with a wrong number. */
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
