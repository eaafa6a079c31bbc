import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RayJobs } from '../../src/common/engine/ray/ray-jobs';
import { RaySteps } from '../../src/common/engine/ray/ray-steps';
import { keysOf } from '../../src/common/engine/similarity/elsewhere/store-pieces';
import { JobCancelledError } from '../../src/common/platform/jobs/job-errors';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import type { Compared } from '../../src/modules/tables/build/compare-rows.step';
import { RayNeighbours } from '../../src/modules/tables/neighbours/ray-neighbours';
import { ChildProgram } from './child-program';
import { compareRows, LEAST_VECTORS } from './compared-rows';
import { waitUntil } from './wait-until';

const PROGRAM = join(__dirname, 'programs', 'compare-rows.program.ts');

export interface ComparingCluster {
  readonly address: string;
  readonly token: string;
  readonly store: ObjectStore;
  /** How another process reaches the same store. */
  readonly variables: Readonly<Record<string, string>>;
  statesOf(task: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How the neighbours of many rows are found by a Ray cluster. */
export function describeNeighbourEngine(name: string, start: () => Promise<ComparingCluster>): void {
  describe(`the comparison by ${name}`, () => {
    let cluster: ComparingCluster;
    let engine: RayNeighbours;
    let dataDir: string;
    let expected: Compared;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'dms-compared-'));
      expected = await compareRows({ engine: null, dataDir, taskId: randomUUID() });
      cluster = await start();
      const { address, token, store } = cluster;
      const steps = new RaySteps(store, new RayJobs({ address, token, timeoutMs: 30_000 }), {
        lookMs: 20,
        stateMs: 100,
      });
      engine = new RayNeighbours(steps, store, LEAST_VECTORS);
    });

    afterAll(async () => {
      await cluster.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    const left = async (task: string): Promise<string[]> => [...(await keysOf(cluster.store, `work/${task}/`))];
    const begun = (task: string): Promise<void> =>
      waitUntil(async () => (await left(task)).some((key) => key.includes('/scanned/')));

    it('finds what one machine finds, and leaves nothing in the store', async () => {
      const taskId = randomUUID();
      expect(await compareRows({ engine, dataDir, taskId })).toEqual(expected);
      // Few objects are compared by the worker.
      expect(await cluster.statesOf(taskId)).toHaveLength(1);
      expect(await left(taskId)).toEqual([]);
      expect(await readdir(join(dataDir, 'spool'))).toEqual([]);
    });

    it('goes on with what has come after the worker is killed', async () => {
      const taskId = randomUUID();
      const { address, token, variables } = cluster;
      const worker = ChildProgram.start(PROGRAM, [address, token, taskId], { ...variables, DATA_DIR: dataDir });
      await begun(taskId);
      await worker.kill();
      const before = (await left(taskId)).filter((key) => key.includes('/scanned/'));
      expect(before.length).toBeGreaterThan(0);
      const puts = jest.spyOn(cluster.store, 'put');
      expect(await compareRows({ engine, dataDir, taskId })).toEqual(expected);
      expect(puts.mock.calls.filter(([key]) => /\/(vectors|blocks|probed|index)\//.test(key))).toEqual([]);
      puts.mockRestore();
      expect(await cluster.statesOf(taskId)).toHaveLength(1);
      expect(await left(taskId)).toEqual([]);
    });

    it('leaves no job and nothing in the store after an abort, also when it is done again', async () => {
      const taskId = randomUUID();
      for (const jobs of [1, 2]) {
        const stop = new AbortController();
        const compared = compareRows({ engine, dataDir, taskId, signal: stop.signal });
        const refused = expect(compared).rejects.toBeInstanceOf(JobCancelledError);
        await waitUntil(async () => (await cluster.statesOf(taskId)).length === jobs);
        // Nothing is waited for any more if it ends by itself.
        await Promise.race([begun(taskId), refused]);
        stop.abort(new JobCancelledError());
        await refused;
        await waitUntil(async () => (await cluster.statesOf(taskId)).every((state) => state === 'STOPPED'));
        // A step that was being done may still store what it found; the sweep of the task's work removes that.
        expect((await left(taskId)).filter((key) => !/\/(scanned|refined|results)\/[^/]+$/.test(key))).toEqual([]);
      }
      expect(await readdir(join(dataDir, 'spool'))).toEqual([]);
    });
  });
}
