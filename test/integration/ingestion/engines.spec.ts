import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Additions, type UpdateTask } from '../../support/additions';
import { describeEngine } from '../../support/engine-contract';
import { freePort } from '../../support/free-port';
import { pictureBytes, writePicture } from '../../support/pictures';
import { StubRay } from '../../support/stub-ray';
import { StubRayNode } from '../../support/stub-ray-node';
import { startTestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

/** The service with a stub of a Ray cluster, whose node is a step runner. */
async function startOnRay(address: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dms-engines-'));
  const storage = { STORAGE_URL: pathToFileURL(join(folder, 'store')).href };
  const running = await startTestApp({ ENGINE: 'ray', RAY_ADDRESS: address, ...storage });
  const node = new StubRayNode({ ...storage, MEDIA_ROOTS: running.folder, ...variables });
  return {
    running,
    node,
    async close() {
      await running.close();
      node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const COPIES = 130;

/** Writes one full part and the start of another. */
async function writeCopies(folder: string): Promise<void> {
  await writePicture(join(folder, '0.jpg'), 1);
  const picture = await pictureBytes(1);
  for (let at = 1; at < COPIES; at += 1) await writeFile(join(folder, `${at}.jpg`), picture);
}

describeEngine('local', async () => {
  const running = await startTestApp();
  return { running, close: () => running.close() };
});

describeEngine('ray, with a stubbed cluster', async () => {
  const ray = await StubRay.start();
  const engine = await startOnRay(ray.url);
  engine.node.join(ray);
  return {
    running: engine.running,
    async close() {
      await engine.close();
      await ray.stop();
      // The task that was aborted and retried had two Ray jobs.
      expect({ refused: ray.refused, jobs: ray.jobs.size }).toEqual({ refused: 0, jobs: 3 });
    },
  };
});

describe('a Ray cluster', () => {
  let ray: StubRay;
  let engine: Awaited<ReturnType<typeof startOnRay>>;
  let datasets: Additions;

  beforeAll(async () => {
    ray = await StubRay.start();
    engine = await startOnRay(ray.url);
    engine.node.join(ray);
    datasets = new Additions(engine.running);
    await writeCopies(datasets.place('many'));
  });

  afterAll(async () => {
    await engine.close();
    await ray.stop();
  });

  const indexing = (): Promise<string> => datasets.api.createFromFolder('Many', datasets.place('many'));

  async function untilTask(id: string, wanted: (task: UpdateTask & { status_message: string }) => boolean) {
    let task: Awaited<ReturnType<typeof datasets.tasks>>[number] | undefined;
    await waitUntil(async () => {
      [task] = await datasets.tasks(id);
      return wanted(task as UpdateTask & { status_message: string });
    });
    return task!;
  }

  it('that refuses the service fails the task, which can be retried after a correction', async () => {
    ray.token = 'another';
    const id = await indexing();
    expect(await untilTask(id, ({ status }) => status === 'FAILED')).toMatchObject({
      error_message: `The Ray cluster at ${ray.url} asks for a token (status 401): set RAY_AUTH_TOKEN to its token.`,
    });
    expect(await datasets.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ n_images: 0 });
    ray.token = undefined;
    const { task_id: task } = (await datasets.tasks(id))[0]!;
    await datasets.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
    expect(await datasets.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: COPIES });
  });

  it('that fails temporarily is waited for, which the task reports', async () => {
    ray.faults = { status: 503 };
    const id = await indexing();
    await untilTask(id, ({ status_message: message }) =>
      message.startsWith(`Waiting for the Ray cluster at ${ray.url} since `),
    );
    ray.faults = {};
    expect(await datasets.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: COPIES });
  });

  it('is not used for short lists', async () => {
    const jobs = ray.jobs.size;
    await datasets.indexed('Few', await datasets.writeFolder('few', [1, 2, 3]));
    expect(ray.jobs.size).toBe(jobs);
  });
});

describe('a node whose configuration differs from the service', () => {
  it('fails the task instead of putting files into quarantine', async () => {
    const ray = await StubRay.start();
    const engine = await startOnRay(ray.url, { MEDIA_ROOTS: '/nothing/here' });
    engine.node.join(ray);
    try {
      const datasets = new Additions(engine.running);
      await writeCopies(datasets.place('many'));
      const id = await datasets.api.createFromFolder('Many', datasets.place('many'));
      await datasets.api.untilStatus(id, ['ERROR']);
      expect((await datasets.tasks(id))[0]!.error_message).toMatch(
        /^The node that analyses files is not configured as this service: .* is outside the folders/,
      );
    } finally {
      await engine.close();
      await ray.stop();
    }
  });
});

describe('an absent Ray cluster', () => {
  it('is waited for until it is there', async () => {
    const port = await freePort();
    const engine = await startOnRay(`http://127.0.0.1:${port}`);
    let ray: StubRay | undefined;
    try {
      const datasets = new Additions(engine.running);
      await writeCopies(datasets.place('many'));
      const id = await datasets.api.createFromFolder('Many', datasets.place('many'));
      await waitUntil(async () => {
        const [task] = (await datasets.tasks(id)) as unknown as { status_message: string }[];
        return task!.status_message.startsWith('Waiting for the Ray cluster at ');
      });
      ray = await StubRay.start(port);
      engine.node.join(ray);
      expect(await datasets.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: COPIES });
    } finally {
      await engine.close();
      await ray?.stop();
    }
  });
});
