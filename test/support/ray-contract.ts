import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RayJobs } from '../../src/common/engine/ray/ray-jobs';
import { RaySteps } from '../../src/common/engine/ray/ray-steps';
import { JobCancelledError } from '../../src/common/platform/jobs/job-errors';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import type { Compared } from '../../src/modules/tables/build/compare-rows.step';
import type { NeighbourEngine } from '../../src/modules/tables/neighbours/neighbour-steps';
import { RayNeighbours } from '../../src/modules/tables/neighbours/ray-neighbours';
import { ChildProgram } from './child-program';
import { compareRows, limitsOf, type ComparisonSize } from './compared-rows';
import { keysBelow } from './keys-below';
import { waitUntil } from './wait-until';

const PROGRAM = join(__dirname, 'programs', 'compare-rows.program.ts');

export interface RunningCluster {
  readonly address: string;
  readonly token: string;
  readonly store: ObjectStore;
  /** The variables with which another process can use the same store. */
  readonly variables: Readonly<Record<string, string>>;
  readonly size: ComparisonSize;
  /** Returns the expected result of the cluster; null means the worker itself. */
  readonly reference: NeighbourEngine | null;
  /** Makes each job wait after this many steps until it is stopped, if steps are too short to be interrupted. */
  holdAfter?(steps: number): void;
  statesOf(task: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The execution of steps on a Ray cluster, for those of a comparison, which has two stages and keeps the results. */
export function describeStepsOnRay(name: string, start: () => Promise<RunningCluster>): void {
  describe(`the steps of a comparison on ${name}`, () => {
    let cluster: RunningCluster;
    let dataDir: string;
    let expected: Compared;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'dms-compared-'));
      cluster = await start();
      expected = await compare(randomUUID(), { engine: cluster.reference });
    });

    afterAll(async () => {
      await cluster.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    function compare(
      taskId: string,
      options: { engine?: NeighbourEngine | null; signal?: AbortSignal } = {},
    ): Promise<Compared> {
      const { address, token, store, size } = cluster;
      const jobs = new RayJobs({ address, token, timeoutMs: 30_000 });
      const steps = new RaySteps(store, jobs, { lookMs: 20, stateMs: 100 });
      return compareRows({
        engine: new RayNeighbours(steps, store, limitsOf(size)),
        size,
        dataDir,
        taskId,
        ...options,
      });
    }

    const left = (task: string): Promise<string[]> => keysBelow(cluster.store, `work/${task}/`);
    const scanned = async (task: string): Promise<string[]> =>
      (await left(task)).filter((key) => key.includes('/results/scan-cells-'));
    const begun = (task: string): Promise<void> => waitUntil(async () => (await scanned(task)).length > 0);

    it('return the same results as one machine, and leave no objects in the store', async () => {
      const taskId = randomUUID();
      expect(await compare(taskId)).toEqual(expected);
      // Few objects are compared by the worker itself.
      expect(await cluster.statesOf(taskId)).toHaveLength(1);
      expect(await left(taskId)).toEqual([]);
      expect(await readdir(join(dataDir, 'spool'))).toEqual([]);
    });

    it('continue after the worker is killed, and the next attempt uses their results', async () => {
      const taskId = randomUUID();
      const { address, token, variables, size } = cluster;
      const worker = ChildProgram.start(PROGRAM, [address, token, taskId, JSON.stringify(size)], {
        ...variables,
        DATA_DIR: dataDir,
      });
      // The program waits here to be killed.
      await worker.untilLine('begun');
      await worker.kill();
      expect((await scanned(taskId)).length).toBeGreaterThan(0);
      const puts = jest.spyOn(cluster.store, 'put');
      expect(await compare(taskId)).toEqual(expected);
      expect(puts.mock.calls.filter(([key]) => /\/(vectors|blocks|probed|index)\//.test(key))).toEqual([]);
      puts.mockRestore();
      expect(await cluster.statesOf(taskId)).toHaveLength(1);
      expect(await left(taskId)).toEqual([]);
    });

    it('leave no job and no objects in the store after an abort, and can be repeated', async () => {
      const taskId = randomUUID();
      cluster.holdAfter?.(1);
      for (const jobs of [1, 2]) {
        const stop = new AbortController();
        const refused = expect(compare(taskId, { signal: stop.signal })).rejects.toBeInstanceOf(JobCancelledError);
        await waitUntil(async () => (await cluster.statesOf(taskId)).length === jobs);
        // Ends the wait if the comparison ends by itself.
        await Promise.race([begun(taskId), refused]);
        stop.abort(new JobCancelledError());
        await refused;
        await waitUntil(async () => (await cluster.statesOf(taskId)).every((state) => state === 'STOPPED'));
        // A running step may still store its result, which the sweep of the task's work removes.
        expect((await left(taskId)).filter((key) => !/\/results\/[^/]+$/.test(key))).toEqual([]);
      }
      cluster.holdAfter?.(Infinity);
      expect(await readdir(join(dataDir, 'spool'))).toEqual([]);
    });
  });
}
