import { JobYieldedError } from '../../../src/common/platform/jobs/job-errors';
import { UnrecoverableError, ObjectStoreOutageError } from '../../../src/common/platform/outage/outage';
import { untilState } from '../../support/job-program';
import { gate, SCRIPTED, ScriptedJob, type ScriptedPayload } from '../../support/scripted-job';
import { ScriptedJobs } from '../../support/scripted-jobs';
import { waitUntil } from '../../support/wait-until';

describe('jobs that wait, fail or yield', () => {
  const jobs = ScriptedJobs.forEachTest();

  describe('during an outage', () => {
    const away = () => new Error('the table could not be read', { cause: new ObjectStoreOutageError('ECONNREFUSED') });

    it('wait without using up attempts, and report it', async () => {
      let attempts = 0;
      const run = await jobs.enqueue('patient', () => (++attempts <= 4 ? Promise.reject(away()) : Promise.resolve()));
      // Makes the job due immediately.
      await waitUntil(async () => {
        await jobs.sql(`UPDATE job_run SET start_after = now() WHERE id = $1 AND state = 'queued'`, [run]);
        return (await jobs.queue.find(run))?.state === 'succeeded';
      });
      expect(attempts).toBe(5);
      const told = jobs.job.told.filter((each) => each.startsWith('patient'));
      expect(told).toHaveLength(4);
      expect(new Set(told).size).toBe(1);
      expect(told[0]).toMatch(/^patient: Waiting for the object store since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\.$/);
      await expect(jobs.sql('SELECT failures, lost_leases FROM job_run WHERE id = $1', [run])).resolves.toEqual([
        { failures: 0, lost_leases: 0 },
      ]);
    });

    it('fail if the outage exceeds the limit, and report what they waited for', async () => {
      await jobs.stopLast();
      await jobs.start(ScriptedJob, 0);
      const run = await jobs.enqueue('impatient', () => Promise.reject(away()));
      const { error } = await untilState(jobs.queue, run, 'failed');
      expect(error).toMatch(/^Waited for the object store since .+ OUTAGE_WAIT_SECONDS allows/);
    });
  });

  it('yield to waiting jobs, and resume after them', async () => {
    let isDone = false;
    const turns = new Map<string, number>();
    const greedy = await Promise.all(
      Array.from({ length: 4 }, (_value, index) =>
        jobs.enqueue(`greedy ${index}`, async (context) => {
          const name = `greedy ${index}`;
          turns.set(name, (turns.get(name) ?? 0) + 1);
          await waitUntil(async () => isDone || (await context.shouldYield()));
          if (!isDone) throw new JobYieldedError();
        }),
      ),
    );
    await waitUntil(() => turns.size === 4);
    const { opened, open } = gate();
    const small = await jobs.enqueue('small', () => opened);
    await untilState(jobs.queue, small, 'running');
    // One of the four jobs had to yield, and waits behind four others.
    await waitUntil(async () => [...(await jobs.queue.countAhead(greedy)).values()].some((ahead) => ahead >= 4));
    isDone = true;
    open();
    for (const run of [small, ...greedy]) await untilState(jobs.queue, run, 'succeeded');
    await expect(
      jobs.sql('SELECT sum(failures)::int AS failures FROM job_run WHERE id = ANY($1)', [greedy]),
    ).resolves.toEqual([{ failures: 0 }]);
  });

  it('fail immediately with an unrecoverable error, without library internals', async () => {
    class MissingError extends UnrecoverableError {}
    const reason = 'lance error: LanceError(IO): No object at x, /build/.cargo/registry/src/lance-io-0.1/src/a.rs:1:2';
    const run = await jobs.enqueue('broken', () => Promise.reject(new MissingError(reason)));
    const ended = await untilState(jobs.queue, run, 'failed');
    expect(ended).toMatchObject({ attempt: 1, error: 'No object at x' });
    expect(jobs.job.told).toContain('broken failed in attempt 1: No object at x');
  });

  it('count only failures since the last progress', async () => {
    const run = await jobs.enqueue('slow but steady', async (context) => {
      const step = (context.checkpoint<number>() ?? 0) + 1;
      if (step > 6) return;
      await context.saveCheckpoint(step);
      throw new Error('a blip');
    });
    await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 7 });
  });

  it('count failures after commits that every attempt repeats', async () => {
    const run = await jobs.enqueue('in circles', async (context) => {
      await context.commit(() => Promise.resolve());
      throw new Error('always');
    });
    await expect(untilState(jobs.queue, run, 'failed')).resolves.toMatchObject({ attempt: 3 });
  });

  it('log one line when they end', async () => {
    const lines: string[] = [];
    jobs.program.useLogger({ log: (line: string) => lines.push(line), error: () => undefined, warn: () => undefined });
    const run = await jobs.queue.enqueue(SCRIPTED, { name: 'told', datasetId: 'd1' } as ScriptedPayload);
    await untilState(jobs.queue, run, 'succeeded');
    await waitUntil(() => lines.length > 0);
    expect(lines).toEqual([expect.stringMatching(/^scripted succeeded after \d+\.\d s, attempt 1, dataset d1$/)]);
    jobs.program.useLogger(false);
  });
});
