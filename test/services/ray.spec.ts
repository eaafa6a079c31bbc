import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { driverEvents } from '../../src/common/engine/ray/driver-log';
import { RayJobs } from '../../src/common/engine/ray/ray-jobs';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import { Additions } from '../support/additions';
import { LARGE } from '../support/compared-rows';
import { describeEngine } from '../support/engine-contract';
import { pictureBytes, writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { expireLeases } from '../support/program-home';
import { describeStepsOnRay } from '../support/ray-contract';
import { RayCluster, type SubmittedJob } from '../support/ray-cluster';
import { sameInstallation, startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';
import { makeBucket, testS3 } from './s3-environment';

// A Ray node takes seven seconds to start on an idle machine.
jest.setTimeout(300_000);

const TOKEN = randomBytes(24).toString('hex');
/** Enough for eight parts. */
const FILES = 1_000;

type StoreVariables = Readonly<
  Record<'STORAGE_URL' | `S3_${'ENDPOINT' | 'REGION' | 'ACCESS_KEY' | 'SECRET_KEY'}`, string>
>;

/** An api in this process, a worker that can be killed, a shared store, and a cluster whose nodes can be killed. */
class World {
  private constructor(
    readonly running: TestApp,
    readonly cluster: RayCluster,
    readonly storage: StoreVariables,
    private readonly variables: Readonly<Record<string, string>>,
    public worker: Program,
  ) {}

  static async start(): Promise<World> {
    const bin = process.env['TEST_RAY'];
    if (bin === undefined) throw new Error('TEST_RAY is not set: install Ray by test/services/up ray.');
    const { endpoint, region, accessKey, secretKey } = testS3();
    const storage: StoreVariables = {
      STORAGE_URL: `s3://${await makeBucket()}/service`,
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    };
    const key = { SECRET_KEY: randomBytes(32).toString('base64') };
    const running = await startTestApp({ ...storage, ...key, ROLE: 'api' });
    const { folder } = running;
    const cluster = await RayCluster.start({ bin, token: TOKEN, variables: { ...storage, MEDIA_ROOTS: folder } });
    const variables = {
      ...storage,
      ...key,
      ...sameInstallation(running),
      DATA_DIR: join(folder, 'worker'),
      ENGINE: 'ray',
      RAY_ADDRESS: cluster.url,
      RAY_AUTH_TOKEN: TOKEN,
      ROLE: 'worker',
      WORKER_CONCURRENCY: '1',
    };
    return new World(running, cluster, storage, variables, await startWorker(variables));
  }

  async killWorker(): Promise<void> {
    await this.worker.stop('SIGKILL');
    this.worker = await startWorker(this.variables);
    await expireLeases(this.running.database.url);
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.running.close();
    await this.cluster.stop();
  }
}

const startWorker = async (variables: Readonly<Record<string, string>>): Promise<Program> =>
  Program.start(variables['DATA_DIR']!, await freePort(), { args: [], env: variables });

let world: Promise<World> | undefined;
const theWorld = (): Promise<World> => (world ??= World.start());

afterAll(async () => (await world)?.stop());

describeEngine('ray, on three nodes with an S3 store', async () => {
  const { running } = await theWorld();
  return { running, close: () => Promise.resolve() };
});

describeStepsOnRay('three nodes of Ray with an S3 store', async () => {
  const { cluster, storage } = await theWorld();
  const { store } = createStorage({
    ...{ storageUrl: storage.STORAGE_URL, s3: testS3(), mediaRoots: [], mediaBuckets: [], baseUrl: '' },
    secretKey: Buffer.alloc(32),
  });
  return {
    address: cluster.url,
    token: TOKEN,
    store,
    variables: storage,
    size: LARGE,
    reference: null,
    statesOf: async (task) => (await cluster.jobsOf(task)).map(({ status }) => status),
    close: () => Promise.resolve(),
  };
});

describe('a Ray cluster of three nodes', () => {
  let cluster: RayCluster;
  let datasets: Additions;
  let folder: string;

  beforeAll(async () => {
    const { running, cluster: started } = await theWorld();
    cluster = started;
    datasets = new Additions(running);
    folder = datasets.place('long');
    await writePicture(join(folder, '0.jpg'), 0);
    const pictures = await Promise.all([0, 1, 2, 3, 4].map((seed) => pictureBytes(seed, 1600, 1200)));
    for (let at = 1; at < FILES; at += 1) await writeFile(join(folder, `${at}.jpg`), pictures[at % 5]!);
  });

  async function untilAnalysed(id: string): Promise<void> {
    await waitUntil(async () => {
      const { progress } = await datasets.api.must<{ progress: number }>(200, 'GET', `/api/v1/dataset/${id}`);
      return progress > 2;
    });
  }

  /** Checks that each file is present once, and returns the Ray jobs of its task. */
  async function assertWhole(id: string): Promise<SubmittedJob[]> {
    expect(await datasets.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: FILES, fatal_error_msg: null });
    expect(new Set((await datasets.rows(id)).map(({ path }) => path)).size).toBe(FILES);
    const { task_id: task, status } = (await datasets.tasks(id))[0]!;
    expect(status).toBe('COMPLETED');
    return await cluster.jobsOf(task);
  }

  const doneAgain = async (job: SubmittedJob): Promise<number> =>
    driverEvents(await cluster.logsOf(job)).filter(({ event }) => event === 'lost').length;

  it('repeats at most one step after losing a node', async () => {
    const id = await datasets.api.createFromFolder('Node killed', folder);
    await untilAnalysed(id);
    await cluster.killNode(2);
    const jobs = await assertWhole(id);
    expect(jobs).toHaveLength(1);
    expect(await doneAgain(jobs[0]!)).toBeLessThanOrEqual(1);
    await cluster.startNode(2);
  });

  it('continues while the worker is killed, and the next worker follows its job', async () => {
    const id = await datasets.api.createFromFolder('Worker killed', folder);
    await untilAnalysed(id);
    await (await theWorld()).killWorker();
    const jobs = await assertWhole(id);
    expect(jobs).toEqual([expect.objectContaining({ status: 'SUCCEEDED' })]);
    expect(await doneAgain(jobs[0]!)).toBe(0);
  });

  it('stops when the task is aborted', async () => {
    const id = await datasets.api.createFromFolder('Aborted', folder);
    await untilAnalysed(id);
    const { task_id: task } = (await datasets.tasks(id))[0]!;
    await datasets.api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
    await waitUntil(async () => (await cluster.jobsOf(task)).every(({ status }) => status === 'STOPPED'));
    expect(await cluster.jobsOf(task)).toHaveLength(1);
  });

  it('requires its token', async () => {
    const version = (token: string | null): Promise<string> =>
      new RayJobs({ address: cluster.url, token, timeoutMs: 10_000 }).version();
    expect(await version(TOKEN)).toMatch(/^2\./);
    await expect(version(null)).rejects.toThrow('asks for a token (status 401)');
    await expect(version('another')).rejects.toThrow('refuses the token of this service (status 403)');
  });

  it('is waited for while it is unavailable', async () => {
    await cluster.killAll();
    const id = await datasets.api.createFromFolder('Absent', folder);
    await waitUntil(async () => {
      const [task] = (await datasets.tasks(id)) as unknown as { status_message: string }[];
      return task!.status_message.startsWith(`Waiting for the Ray cluster at ${cluster.url} since `);
    });
    await cluster.startAll();
    await assertWhole(id);
  });
});
