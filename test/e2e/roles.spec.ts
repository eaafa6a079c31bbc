import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assertWhole, writeMedia } from '../faults/indexing-journal';
import { ApiClient, formOf } from '../support/api-client';
import { freePort, Program } from '../support/program';
import { expireLeases } from '../support/program-home';
import { StubCollector } from '../support/stub-collector';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { waitUntil } from '../support/wait-until';

// A worker looks for jobs of killed workers every ten seconds.
jest.setTimeout(150_000);

const MANY = 500;
const TRACE = '0af7651916cd43dd8448eb211c80319c';

interface Task {
  readonly task_id: string;
  readonly status_message: string | null;
}

interface Page {
  readonly clusters: { previews: { media_uri: string; media_thumb_uri: string }[] }[];
}

describe('an api and a worker on one Postgres and one store', () => {
  let folder: string;
  let database: TestDatabase;
  let collector: StubCollector;
  let front: Program;
  let api: ApiClient;
  /** Started by the second test. */
  let worker: Program;
  const running: Program[] = [];
  let secretKey: string;
  /** Several parts, so that their analysis takes some seconds. */
  let many: Awaited<ReturnType<typeof writeMedia>>;

  const launch = async (role: 'api' | 'worker'): Promise<Program> => {
    const program = Program.launch(join(folder, `${role}-${running.length}`), await freePort(), {
      args: [],
      env: {
        ROLE: role,
        DATABASE_URL: database.url,
        STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
        SECRET_KEY: secretKey,
        WORKER_CONCURRENCY: '1',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
    running.push(program);
    return program;
  };

  const startWorker = async (): Promise<Program> => {
    const started = await launch('worker');
    await started.ready();
    return started;
  };

  const taskOf = async (id: string): Promise<Task> =>
    (await api.must<{ tasks: Task[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`)).tasks[0]!;

  const untilAnalysed = (id: string, files: number): Promise<void> =>
    waitUntil(async () => {
      const { status_message } = await taskOf(id);
      return Number(/^Analysed (\d+) of/.exec(status_message ?? '')?.[1] ?? 0) >= files;
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-roles-'));
    collector = await StubCollector.start();
    secretKey = randomBytes(32).toString('base64');
    database = await createTestDatabase({ entities: [], migrations: [] });
    many = await writeMedia(join(folder, 'many'), MANY, 1000);
    front = await launch('api');
    api = new ApiClient(front.url);
  });

  afterAll(async () => {
    for (const program of running) await program.stop('SIGKILL');
    await collector.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('start concurrently on an empty database; the worker indexes, the api responds', async () => {
    worker = await launch('worker');
    await Promise.all([front.ready(), worker.ready()]);
    const { paths, broken } = await writeMedia(join(folder, 'first'), 12, 1);
    const created = await fetch(`${front.url}/api/v1/dataset`, {
      method: 'POST',
      headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
      body: formOf({ dataset_name: 'First', bucket_path: join(folder, 'first') }),
    });
    const { dataset_id: id } = (await created.json()) as { dataset_id: string };
    await api.untilStatus(id, ['READY']);
    await assertWhole({ id, paths, broken }, database.url, join(folder, 'store', 'tables'));

    const page = await api.must<Page>(200, 'GET', `/api/v1/explore/${id}?entity_type=IMAGES&threshold=0`);
    const { media_uri, media_thumb_uri } = page.clusters[0]!.previews[0]!;
    for (const address of [media_uri, media_thumb_uri]) {
      expect(address.startsWith(front.url)).toBe(true);
      expect((await fetch(address)).status).toBe(200);
    }
  });

  it('report a request of the api and its job at the worker as one trace', async () => {
    const [job] = await database.dataSource.query<{ attempt: number }[]>(
      `SELECT attempt FROM job_run WHERE type = 'index-dataset'`,
    );
    const ofTrace = (name: string) => collector.spans.filter((span) => span.traceId === TRACE && span.name === name);
    const attempts = () => ofTrace('job index-dataset');
    await waitUntil(() => ofTrace('POST /api/v1/dataset').length > 0 && attempts().length >= job!.attempt);
    const [request] = ofTrace('POST /api/v1/dataset');
    // Each attempt has a span. On a busy machine there may be several, because the database answers too late.
    expect(attempts().map(({ parentId }) => parentId)).toEqual(Array(job!.attempt).fill(request!.spanId));
  });

  it('leave jobs queued until a worker starts', async () => {
    expect(await worker.stop()).toBe(0);
    const { paths, broken } = await writeMedia(join(folder, 'waiting'), 6, 100);
    const id = await api.createFromFolder('Waiting', join(folder, 'waiting'));
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'INDEXING', n_images: 0 });
    worker = await startWorker();
    await api.untilStatus(id, ['READY']);
    await assertWhole({ id, paths, broken }, database.url, join(folder, 'store', 'tables'));
  });

  it('serve only health and metrics from a worker', async () => {
    const operator = new ApiClient(worker.url);
    expect(await operator.must(200, 'GET', '/health/live')).toEqual({ status: 'ok' });
    expect(await operator.must(200, 'GET', '/health/ready')).toMatchObject({ parts: { postgres: 'up', store: 'up' } });
    expect(await operator.must(200, 'GET', '/metrics')).toContain('jobs_');
    for (const path of ['/api/v1/datasets', '/api/v1/docs', '/api/v1/openapi.json', '/']) {
      const answer = await fetch(new URL(path, worker.url));
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('serves no API')]);
    }
  });

  it('stop a job on the worker that was aborted in the api', async () => {
    const unwanted = await api.createFromFolder('Unwanted', join(folder, 'many'));
    await untilAnalysed(unwanted, 1);
    const { task_id: task } = await taskOf(unwanted);
    await api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
    await api.indexed('Wanted', join(folder, 'waiting'));
    expect(await api.must(200, 'GET', `/api/v1/dataset/${unwanted}`)).toMatchObject({
      status_new: 'DRAFT',
      n_images: 0,
    });
  });

  it('resume the jobs of a killed worker on another', async () => {
    const id = await api.createFromFolder('Long', join(folder, 'many'));
    await untilAnalysed(id, 1);
    await worker.stop('SIGKILL');
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'INDEXING', n_images: 0 });
    worker = await startWorker();
    await expireLeases(database.url);
    await api.untilStatus(id, ['READY']);
    await assertWhole({ id, ...many }, database.url, join(folder, 'store', 'tables'));
  });

  it('share the files of one dataset among workers', async () => {
    const workers = [worker, await startWorker()];
    const before = await Promise.all(workers.map(indexedFiles));
    await sharePartsFairly(database);
    const id = await api.indexed('Shared', join(folder, 'many'));
    await assertWhole({ id, ...many }, database.url, join(folder, 'store', 'tables'));
    const indexed = (await Promise.all(workers.map(indexedFiles))).map((files, at) => files - before[at]!);
    expect(indexed[0]! + indexed[1]!).toBe(many.paths.length + many.broken.length);
    expect(Math.min(...indexed)).toBeGreaterThan(0);
  });
});

/** A worker that has a part gets no further one before another worker has one, however fast it is. */
async function sharePartsFairly({ dataSource }: TestDatabase): Promise<void> {
  await dataSource.query(`
    CREATE TABLE worker_with_part (owner text PRIMARY KEY);
    CREATE FUNCTION give_part() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT array_agg(owner) FROM worker_with_part) = ARRAY[NEW.owner::text] THEN RETURN NULL; END IF;
        INSERT INTO worker_with_part VALUES (NEW.owner) ON CONFLICT DO NOTHING;
        RETURN NEW;
      END $$;
    CREATE TRIGGER fair BEFORE UPDATE ON job_run FOR EACH ROW
      WHEN (OLD.state = 'queued' AND NEW.state = 'running' AND NEW.type = 'analyze-part') EXECUTE FUNCTION give_part()`);
}

async function indexedFiles({ url }: Program): Promise<number> {
  const metrics = await new ApiClient(url).must<string>(200, 'GET', '/metrics');
  return Number(/^media_indexed_total (\d+)/m.exec(metrics)?.[1] ?? 0);
}
