import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareRows, LEAST_VECTORS } from '../../../../test/support/compared-rows';
import { folderStore } from '../../../../test/support/folder-store';
import { describeNeighbourEngine } from '../../../../test/support/neighbour-engine-contract';
import { driverLine, StubRay } from '../../../../test/support/stub-ray';
import { StubRayNode } from '../../../../test/support/stub-ray-node';
import { RayJobs } from '../../../common/engine/ray/ray-jobs';
import { RaySteps } from '../../../common/engine/ray/ray-steps';
import { keysOf } from '../../../common/engine/similarity/elsewhere/store-pieces';
import { JobShutdownError } from '../../../common/platform/jobs/job-errors';
import { RayNeighbours } from './ray-neighbours';

// Each comparison takes some seconds on an idle machine.
jest.setTimeout(240_000);

const folder = mkdtempSync(join(tmpdir(), 'ray-neighbours-'));
const store = folderStore(folder);
const variables = { STORAGE_URL: pathToFileURL(join(folder, 'store')).href, MEDIA_ROOTS: folder };

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describeNeighbourEngine('a stubbed cluster', async () => {
  const ray = await StubRay.start();
  ray.token = 'the-token';
  const node = new StubRayNode({ ...variables, DATA_DIR: join(folder, 'node') });
  node.join(ray);
  return {
    address: ray.url,
    token: ray.token,
    store,
    variables,
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
    const engine = new RayNeighbours(steps, store, LEAST_VECTORS);
    const compared = compareRows({ engine, dataDir: folder, taskId: task, ...(signal && { signal }) });
    return compared.catch((error: unknown) => error);
  }

  const left = async (task: string): Promise<number> => (await keysOf(store, `work/${task}/`)).size;

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
    expect([...ray.jobs.keys()].map((name) => name.slice(-4))).toEqual(['0001', '0002']);
  });
});
