import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { folderStore } from '../../../../test/support/folder-store';
import { freePort } from '../../../../test/support/free-port';
import { driverLine, StubRay, type StubJob } from '../../../../test/support/stub-ray';
import { waitUntil } from '../../../../test/support/wait-until';
import { isUnrecoverable, outageOf } from '../../platform/outage/outage';
import type { ObjectStore } from '../../platform/storage/object-store';
import type { Step, StepDescription } from '../steps/step';
import { readPlan } from '../steps/step-plan';
import { StepRunner } from '../steps/step-runner';
import { RayJobLostError } from './ray-errors';
import { RayJobs } from './ray-jobs';
import { RaySteps, type RayStepsOptions, type StepWork } from './ray-steps';

const doubling: Step<{ number: number }> = {
  name: 'double',
  input: z.object({ number: z.number() }),
  run: ({ number }) => Promise.resolve({ doubled: 2 * number }),
};

const SOON = { lookMs: 5, stateMs: 5, quietMs: 60_000 };

describe('steps on a Ray cluster', () => {
  let folder: string;
  let store: ObjectStore;
  let ray: StubRay;
  let works = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-ray-'));
    store = folderStore(folder);
  });

  beforeEach(async () => {
    ray = await StubRay.start();
  });

  afterEach(() => ray.stop());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const stepsWith = (
    options: Partial<RayStepsOptions> = {},
    token: string | null = null,
    address = ray.url,
  ): RaySteps => new RaySteps(store, new RayJobs({ address, token, timeoutMs: 200 }), { ...SOON, ...options });

  function workOf(numbers: readonly number[]): StepWork & { recorded: Map<string, unknown>; stop: AbortController } {
    const recorded = new Map<string, unknown>();
    const stop = new AbortController();
    return {
      prefix: `work/${(works += 1)}/`,
      name: 'work',
      metadata: { task: 'a task' },
      async *unfinished(): AsyncGenerator<StepDescription> {
        for (const number of numbers)
          if (!recorded.has(String(number)))
            yield await Promise.resolve({ id: String(number), step: 'double', weight: 1, input: { number } });
      },
      record: async (id, read) => {
        const isNew = !recorded.has(id);
        recorded.set(id, JSON.parse((await read()).toString()));
        return isNew;
      },
      signal: stop.signal,
      recorded,
      stop,
    };
  }

  /** Executes the steps of a plan, like the driver and its runners. */
  async function workOff({ entrypoint }: StubJob, most = Infinity): Promise<void> {
    const [, plan = ''] = / --plan (\S+)/.exec(entrypoint) ?? [];
    const runner = new StepRunner(store, [doubling]);
    const { steps } = await readPlan(store, plan, (await store.head(plan))!.size, 0);
    for (const step of steps.slice(0, most))
      await runner.answer({ id: step.id, do: 'step', plan, step }, AbortSignal.timeout(10_000));
  }

  const doubled = (numbers: readonly number[]): Map<string, unknown> =>
    new Map(numbers.map((number) => [String(number), { doubled: 2 * number }]));

  it('are submitted as a plan, and their results are recorded', async () => {
    const work = workOf([1, 2, 3]);
    ray.token = 'the-token';
    ray.onSubmit = (job) => void workOff(job).then(() => (job.status = 'SUCCEEDED'));
    await stepsWith({ processors: 4 }, 'the-token').perform(work);
    expect(work.recorded).toEqual(doubled([1, 2, 3]));
    expect(ray.lastJob).toMatchObject({
      submission_id: expect.stringMatching(/^work-0001-\w{8}$/) as string,
      metadata: { task: 'a task' },
    });
    expect(ray.lastJob.entrypoint).toMatch(/^python -m dms_engine --plan \S+ --steps 3 --version \S+ --processors 4$/);
    expect(JSON.stringify(ray.lastJob)).not.toContain('the-token');
  });

  it('are continued by the next attempt, which follows the existing job', async () => {
    const work = workOf([1, 2, 3]);
    ray.onSubmit = (job) => void workOff(job, 2);
    const first = expect(stepsWith().perform(work)).rejects.toThrow('killed');
    await waitUntil(() => work.recorded.size === 2);
    work.stop.abort(new Error('killed'));
    await first;
    const next = { ...work, signal: new AbortController().signal };
    const second = stepsWith().perform(next);
    await workOff(ray.lastJob);
    await second;
    expect(work.recorded).toEqual(doubled([1, 2, 3]));
    expect(ray.jobs.size).toBe(1);
  });

  it('are submitted again, except finished ones, if the cluster no longer knows the job', async () => {
    const work = workOf([1, 2, 3]);
    ray.onSubmit = (job) => void workOff(job, 1).then(() => ray.jobs.delete(job.submission_id));
    await expect(stepsWith().perform(work)).rejects.toThrow(RayJobLostError);
    ray.onSubmit = (job) => void workOff(job);
    await stepsWith().perform(work);
    expect(work.recorded).toEqual(doubled([1, 2, 3]));
    expect(ray.lastJob).toMatchObject({ submission_id: expect.stringMatching(/^work-0002-/) as string });
    expect(ray.lastJob.entrypoint).toContain('--steps 2 ');
  });

  it('whose results are kept are recorded once by each attempt, and not run again', async () => {
    const work = { ...workOf([1, 2]), keepsResults: true };
    ray.onSubmit = (job) => void workOff(job).then(() => (job.status = 'SUCCEEDED'));
    await stepsWith().perform(work);
    await waitUntil(() => ray.lastJob.status === 'SUCCEEDED');
    const again = { ...workOf([1, 2, 3]), prefix: work.prefix, keepsResults: true };
    await stepsWith().perform(again);
    expect(again.recorded).toEqual(doubled([1, 2, 3]));
    expect(ray.lastJob.entrypoint).toContain('--steps 1 ');
    await stepsWith().remove(work.prefix);
    expect((await store.list(work.prefix)).objects).toEqual([]);
  });

  it('count once, even if they run twice', async () => {
    const work = workOf([1, 2]);
    ray.onSubmit = (job) => void Promise.all([workOff(job), workOff(job)]);
    await stepsWith().perform(work);
    expect(work.recorded).toEqual(doubled([1, 2]));
  });

  it('are stopped with their operation, and run no more', async () => {
    const work = workOf([1, 2]);
    const performed = expect(stepsWith().perform(work)).rejects.toThrow('aborted');
    await waitUntil(() => ray.jobs.size === 1);
    work.stop.abort(new Error('aborted'));
    await performed;
    await stepsWith().stop(work.prefix);
    expect(ray.lastJob.status).toBe('STOPPED');
    const plan = / --plan (\S+)/.exec(ray.lastJob.entrypoint)![1]!;
    const step = { id: '1', step: 'double', weight: 1, input: { number: 1 } };
    expect(await new StepRunner(store, [doubling]).answer({ id: '1', do: 'step', plan, step }, work.signal)).toEqual({
      id: '1',
      unwanted: true,
    });
  });

  describe('wait', () => {
    const waitFor = async (performed: Promise<void>): Promise<string | undefined> => {
      const error: unknown = await performed.catch((thrown: unknown) => thrown);
      return outageOf(error)?.awaited;
    };

    it('for an unavailable cluster', async () => {
      const address = `http://127.0.0.1:${await freePort()}`;
      expect(await waitFor(stepsWith({}, null, address).perform(workOf([1])))).toBe(`the Ray cluster at ${address}`);
    });

    it.each([
      ['is silent', { silent: true }],
      ['is overloaded', { status: 503 }],
      ['fails', { status: 500 }],
    ])('for a cluster that %s', async (_, faults) => {
      ray.faults = faults;
      expect(await waitFor(stepsWith().perform(workOf([1])))).toBe(`the Ray cluster at ${ray.url}`);
    });

    it.each([
      ['the job', (job: StubJob) => (job.status = 'PENDING')],
      ['a step', (job: StubJob) => (job.logs = driverLine({ event: 'state', runners: 0, waiting: null }))],
    ])('for a free processor for %s', async (_, change) => {
      ray.onSubmit = change;
      const awaited = `a free processor in the Ray cluster at ${ray.url}`;
      expect(await waitFor(stepsWith({ quietMs: 20 }).perform(workOf([1])))).toBe(awaited);
    });

    it('for the outage that the nodes wait for', async () => {
      ray.onSubmit = (job) =>
        (job.logs = driverLine({ event: 'state', runners: 2, waiting: 'the media folder /photos' }));
      expect(await waitFor(stepsWith({ quietMs: 20 }).perform(workOf([1])))).toBe('the media folder /photos');
    });

    it('for the outage that a step has waited for ten minutes', async () => {
      const outage = { awaited: 'the object store', detail: 'The object store is not reachable.' };
      const error = { message: 'refused', outage, unrecoverable: null, refusal: null };
      ray.onSubmit = (job) => Object.assign(job, { status: 'FAILED', logs: driverLine({ event: 'failed', error }) });
      expect(await waitFor(stepsWith().perform(workOf([1])))).toBe('the object store');
    });
  });

  describe('fail with one sentence', () => {
    const error = { message: 'There is no model x.', outage: null, unrecoverable: {}, refusal: null };

    it.each<[string, () => void, string]>([
      ['without a token', () => (ray.token = 'x'), 'asks for a token (status 401): set RAY_AUTH_TOKEN to its token.'],
      ['if it is no Ray', () => (ray.faults = { status: 404 }), "does not answer as Ray's Jobs interface does"],
      ['for another Ray', () => (ray.version = '1.13.0'), 'runs Ray 1.13.0, and the driver needs 2.52 or a later 2.x'],
      ['for an older Ray', () => (ray.version = '2.9.3'), 'runs Ray 2.9.3, and the driver needs 2.52 or a later 2.x'],
    ])('%s', async (_, arrange, sentence) => {
      arrange();
      const performed = stepsWith().perform(workOf([1]));
      expect(isUnrecoverable(await performed.catch((thrown: unknown) => thrown))).toBe(true);
      await expect(performed).rejects.toThrow(sentence);
    });

    it('with a wrong token', async () => {
      ray.token = 'x';
      await expect(stepsWith({}, 'y').perform(workOf([1]))).rejects.toThrow(
        'refuses the token of this service (status 403)',
      );
    });

    it.each<[string, Partial<StubJob>, string]>([
      [
        'if the driver is missing on the nodes',
        { logs: '/usr/bin/python: No module named dms_engine\n', message: 'exit code 1' },
        'The nodes of the Ray cluster have no driver',
      ],
      [
        'if there is no Python',
        { message: 'failed with exit code 127' },
        'The nodes of the Ray cluster have no driver',
      ],
      [
        'if the nodes have another version of the service',
        { logs: driverLine({ event: 'unusable', reason: 'The nodes have version 0.0.1.' }) },
        'The nodes have version 0.0.1.',
      ],
      ['if a step fails for good', { logs: driverLine({ event: 'failed', error }) }, 'There is no model x.'],
      [
        'if the job is stopped by hand',
        { status: 'STOPPED' },
        'was stopped by hand. Retry the task to continue from there',
      ],
    ])('%s', async (_, end, sentence) => {
      ray.onSubmit = (job) => Object.assign(job, { status: 'FAILED', ...end });
      const performed = stepsWith().perform(workOf([1]));
      expect(isUnrecoverable(await performed.catch((thrown: unknown) => thrown))).toBe(true);
      await expect(performed).rejects.toThrow(sentence);
    });
  });

  it('are retried if the job ends without a final event or without results', async () => {
    const work = workOf([1]);
    ray.onSubmit = (job) => Object.assign(job, { status: 'FAILED', message: 'The node died.\nat line 1' });
    const performed = stepsWith().perform(work);
    await expect(performed).rejects.toThrow(RayJobLostError);
    await expect(performed).rejects.toThrow(/^The Ray job work-0001-\w+ failed: The node died\.$/);
    ray.onSubmit = (job) => (job.status = 'SUCCEEDED');
    await expect(stepsWith().perform(work)).rejects.toThrow(/work-0002-\w+ ended, and 1 steps have no result/);
  });
});
