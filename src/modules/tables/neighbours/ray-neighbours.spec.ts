import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareRows, limitsOf, SMALL } from '../../../../test/support/compared-rows';
import { folderStore } from '../../../../test/support/folder-store';
import { describeStepsOnRay } from '../../../../test/support/ray-contract';
import { StepsHere } from '../../../../test/support/steps-here';
import { keysBelow } from '../../../../test/support/keys-below';
import { driverLine, StubRay } from '../../../../test/support/stub-ray';
import { StubRayNode } from '../../../../test/support/stub-ray-node';
import { RayJobs } from '../../../common/engine/ray/ray-jobs';
import { RaySteps } from '../../../common/engine/ray/ray-steps';
import { KeptRows } from '../../../common/engine/similarity/elsewhere/kept-rows';
import { JobShutdownError } from '../../../common/platform/jobs/job-errors';
import type { NeighbourEngine } from './neighbour-steps';
import { RayNeighbours } from './ray-neighbours';

const folder = mkdtempSync(join(tmpdir(), 'ray-neighbours-'));
const store = folderStore(folder);
const variables = { STORAGE_URL: pathToFileURL(join(folder, 'store')).href, MEDIA_ROOTS: folder };

const rows = new KeptRows({ store, dataDir: join(folder, 'here'), threads: 1 });
const stepsHere = new StepsHere(store, [rows]);

/** The same steps without a cluster; neighbour-steps.spec compares them with those of the worker. */
const reference: NeighbourEngine = {
  limits: limitsOf(SMALL),
  check: () => Promise.resolve(),
  during: (_, compare) => compare(),
  searchOf: (_, group) => (ordered) => stepsHere.search(`work/here/${group}/`, ordered),
};

afterAll(async () => {
  await rows.close();
  rmSync(folder, { recursive: true, force: true });
});

describeStepsOnRay('a stubbed cluster', async () => {
  const ray = await StubRay.start();
  ray.token = 'the-token';
  const node = new StubRayNode({ ...variables, DATA_DIR: join(folder, 'node') });
  node.join(ray);
  return {
    address: ray.url,
    token: ray.token,
    store,
    variables,
    size: SMALL,
    reference,
    holdAfter: (steps) => (node.heldAfter = steps),
    statesOf: (task) =>
      Promise.resolve(
        [...ray.jobs.values()].filter(({ metadata }) => metadata['task'] === task).map((job) => job.status),
      ),
    async close() {
      node.stop();
      await ray.stop();
      expect(ray.refused).toBe(0);
    },
  };
});

describe('a comparison that fails', () => {
  let ray: StubRay;

  beforeEach(async () => {
    ray = await StubRay.start();
  });

  afterEach(() => ray.stop());

  async function failing(task: string, signal?: AbortSignal): Promise<unknown> {
    const steps = new RaySteps(store, new RayJobs({ address: ray.url, token: null, timeoutMs: 1_000 }), { stateMs: 5 });
    const engine = new RayNeighbours(steps, store, limitsOf(SMALL));
    const compared = compareRows({ engine, size: SMALL, dataDir: folder, taskId: task, ...(signal && { signal }) });
    return compared.catch((error: unknown) => error);
  }

  const left = async (task: string): Promise<number> => (await keysBelow(store, `work/${task}/`)).length;

  it('permanently leaves nothing in the store', async () => {
    const task = randomUUID();
    const logs = driverLine({ event: 'unusable', reason: 'The nodes have version 0.0.1.' });
    ray.onSubmit = (job) => Object.assign(job, { status: 'FAILED', logs });
    expect(await failing(task)).toMatchObject({ message: 'The nodes have version 0.0.1.' });
    expect(ray.jobs.size).toBe(1);
    expect(await left(task)).toBe(0);
  });

  it('because the cluster refuses the service prepares no vectors', async () => {
    ray.token = 'another';
    const puts = jest.spyOn(store, 'put');
    expect(await failing(randomUUID())).toMatchObject({ message: expect.stringContaining('for a token') as string });
    expect(puts).not.toHaveBeenCalled();
    puts.mockRestore();
  });

  it('temporarily keeps its objects for the next attempt', async () => {
    const task = randomUUID();
    ray.onSubmit = (job) => Object.assign(job, { status: 'FAILED', message: 'The node died.' });
    expect(await failing(task)).toMatchObject({ message: expect.stringContaining('The node died.') as string });
    expect(await left(task)).toBeGreaterThan(4);
    const stop = new AbortController();
    ray.onSubmit = () => stop.abort(new JobShutdownError());
    expect(await failing(task, stop.signal)).toBeInstanceOf(JobShutdownError);
    expect(await left(task)).toBeGreaterThan(4);
    expect([...ray.jobs.keys()].map((name) => name.split('-').at(-2))).toEqual(['0001', '0002']);
  });
});
