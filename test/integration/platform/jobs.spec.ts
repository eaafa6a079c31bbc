import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { LeaseLostError, PermanentJobError } from '../../../src/common/platform/jobs/job-errors';
import { JobHandler } from '../../../src/common/platform/jobs/job-handler';
import { JobMetrics } from '../../../src/common/platform/jobs/job-metrics';
import { JobQueue } from '../../../src/common/platform/jobs/job-queue';
import { defineJob } from '../../../src/common/platform/jobs/job-type';
import { JobWorker } from '../../../src/common/platform/jobs/job-worker';
import { startJobProgram, untilState } from '../../support/job-program';
import { gate, SCRIPTED, ScriptedJob, type ScriptedPayload } from '../../support/scripted-job';
import { ScriptedJobs } from '../../support/scripted-jobs';
import { waitUntil } from '../../support/wait-until';

@JobHandler(SCRIPTED)
@Injectable()
class SecondScriptedJob extends ScriptedJob {}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

describe('jobs', () => {
  const jobs = ScriptedJobs.forEachTest();

  it('run after they were enqueued, and are counted', async () => {
    const run = await untilState(jobs.queue, await jobs.enqueue('simple'), 'succeeded');
    expect(run).toMatchObject({ type: 'scripted', attempt: 1, error: null });
    await waitUntil(() => jobs.program.get(JobMetrics).counts().length === 1);
    expect(jobs.program.get(JobMetrics).counts()).toEqual([{ type: 'scripted', outcome: 'succeeded', count: 1 }]);
    expect(await jobs.program.get(JobMetrics).queues()).toContainEqual({
      type: 'scripted',
      waiting: 0,
      running: 0,
      held: 0,
      oldestWaitingSeconds: 0,
    });
  });

  it('are not enqueued if the transaction is rolled back', async () => {
    const undone = jobs.program.get(TransactionRunner).run(async () => {
      await jobs.enqueue('undone');
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await expect(jobs.sql(`SELECT 1 FROM job_run WHERE payload->>'name' = 'undone'`)).resolves.toEqual([]);
  });

  it('run outside the transaction that enqueued them', async () => {
    const transactions = jobs.program.get(TransactionRunner);
    const inside: boolean[] = [];
    const run = await transactions.run(() =>
      jobs.enqueue('outside', () => Promise.resolve(void inside.push(transactions.isActive))),
    );
    await untilState(jobs.queue, run, 'succeeded');
    expect(inside).toEqual([false]);
  });

  it('are not enqueued twice with the same key until the first has ended', async () => {
    const { opened, open } = gate();
    jobs.job.behaviours.set('keyed', () => opened);
    const add = () => jobs.queue.enqueue(SCRIPTED, { name: 'keyed' }, { singletonKey: 'k' });
    const [first, ...others] = await Promise.all([add(), add(), add()]);
    expect(new Set(others)).toEqual(new Set([first]));
    await untilState(jobs.queue, first, 'running');
    await expect(add()).resolves.toBe(first);
    open();
    await untilState(jobs.queue, first, 'succeeded');
    await expect(add()).resolves.not.toBe(first);
  });

  it('notify this process when they end, and can be held until then', async () => {
    const { opened, open } = gate();
    const run = await jobs.enqueue('awaited', () => opened);
    const ends = jobs.queue.watchEnds((runId) => runId === run);
    const { signal } = new AbortController();
    await untilState(jobs.queue, await jobs.enqueue('another'), 'succeeded');
    await expect(ends.next(0, signal)).resolves.toBe(false);
    await expect(jobs.queue.holdUnfinished(run)).resolves.toBe(true);
    open();
    await expect(ends.next(3_600_000, signal)).resolves.toBe(true);
    await expect(jobs.queue.find(run)).resolves.toMatchObject({ state: 'succeeded' });
    await expect(jobs.queue.holdUnfinished(run)).resolves.toBe(false);
    await expect(ends.next(0, signal)).resolves.toBe(false);
    await expect(ends.next(3_600_000, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    ends.stop();
  });

  it('wait for their start time', async () => {
    jobs.job.behaviours.set('later', () => Promise.resolve());
    const later = await jobs.queue.enqueue(SCRIPTED, { name: 'later' }, { delayMs: 3_600_000 });
    await untilState(jobs.queue, await jobs.enqueue('now'), 'succeeded');
    await expect(jobs.queue.find(later)).resolves.toMatchObject({ state: 'queued', attempt: 0 });
    await jobs.queue.cancel(later);
    await untilState(jobs.queue, later, 'cancelled');
  });

  it('are brought forward by another one with the same key', async () => {
    const add = (delayMs?: number) =>
      jobs.queue.enqueue(SCRIPTED, { name: 'hurried' }, { singletonKey: 'h', ...(delayMs && { delayMs }) });
    const run = await add(3_600_000);
    await expect(add(7_200_000)).resolves.toBe(run);
    await untilState(jobs.queue, await jobs.enqueue('now'), 'succeeded');
    await expect(jobs.queue.find(run)).resolves.toMatchObject({ state: 'queued', attempt: 0 });
    await expect(add()).resolves.toBe(run);
    await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 1 });
  });

  it('can be postponed in a commit, without counting as failed', async () => {
    const run = await jobs.enqueue('resting', async (context) => {
      const { attempt } = context;
      if (attempt % 2 === 1 && attempt < 8) throw new Error('not yet');
      if (attempt === 2)
        await context.postpone(new Date(), () => Promise.reject(new Error('undone'))).catch(() => undefined);
      if (attempt < 8) await context.postpone(new Date(), () => context.saveCheckpoint(attempt));
    });
    await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 8 });
    const [row] = await jobs.database.dataSource.query<{ checkpoint: number; failures: number }[]>(
      'SELECT checkpoint, failures FROM job_run WHERE id = $1',
      [run],
    );
    expect(row).toMatchObject({ checkpoint: 6, failures: 1 });
    expect(jobs.job.told).toEqual([]);
  });

  it('are retried after a temporary failure', async () => {
    const run = await jobs.enqueue('flaky', ({ attempt }) =>
      attempt < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(),
    );
    await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 3 });
    expect(jobs.job.told).toEqual([]);
  });

  it('fail after the last retry, and notify the handler once', async () => {
    const run = await jobs.enqueue('hopeless', () => Promise.reject(new Error('never')));
    await expect(untilState(jobs.queue, run, 'failed')).resolves.toMatchObject({ attempt: 3, error: 'never' });
    expect(jobs.job.told).toEqual(['hopeless failed in attempt 3: never']);
  });

  it('are not retried after a permanent failure', async () => {
    const run = await jobs.enqueue('permanent', () => Promise.reject(new PermanentJobError('bad source')));
    await expect(untilState(jobs.queue, run, 'failed')).resolves.toMatchObject({ attempt: 1, error: 'bad source' });
    expect(jobs.job.told).toEqual(['permanent failed in attempt 1: bad source']);
  });

  it('notify the handler again if it failed to process the notification', async () => {
    jobs.job.failInFailed = true;
    const run = await jobs.enqueue('stubborn', () => Promise.reject(new PermanentJobError('bad source')));
    await untilState(jobs.queue, run, 'failed');
    expect(jobs.job.told).toEqual(['stubborn failed in attempt 2: bad source']);
  });

  it('stop when they are cancelled', async () => {
    const run = await jobs.enqueue('cancelled', ({ signal }) => untilAborted(signal));
    await untilState(jobs.queue, run, 'running');
    await expect(jobs.queue.cancel(run)).resolves.toBe(true);
    await untilState(jobs.queue, run, 'cancelled');
    expect(jobs.job.told).toEqual(['cancelled was cancelled']);
    await expect(jobs.queue.cancel(run)).resolves.toBe(false);
  });

  it('can be cancelled by any process', async () => {
    const other = await jobs.startAnother(false);
    const run = await jobs.enqueue('cancelled elsewhere', ({ signal }) => untilAborted(signal));
    await untilState(jobs.queue, run, 'running');
    await expect(other.get(JobQueue).cancel(run)).resolves.toBe(true);
    await untilState(jobs.queue, run, 'cancelled');
  });

  it('commit together with the end of the run', async () => {
    const run = await jobs.enqueue('whole', async (context) => {
      await context.complete(() => context.saveCheckpoint('flipped'));
      throw new Error('too late to matter');
    });
    await untilState(jobs.queue, run, 'succeeded');
    await expect(jobs.sql('SELECT checkpoint, failures FROM job_run WHERE id = $1', [run])).resolves.toEqual([
      { checkpoint: 'flipped', failures: 0 },
    ]);
  });

  it('reject commits of an attempt after another has started', async () => {
    const { opened, open } = gate();
    const refused: unknown[] = [];
    const run = await jobs.enqueue('fenced', async (context) => {
      if (context.attempt === 2) {
        expect(context.checkpoint()).toBe('from attempt 1');
        await context.saveCheckpoint('from attempt 2');
        return;
      }
      await context.saveCheckpoint('from attempt 1');
      await opened;
      for (const write of [
        () => context.commit(() => jobs.sql('SELECT 1')),
        () => context.saveCheckpoint('from a zombie'),
        () => context.complete(() => jobs.sql('SELECT 1')),
      ]) {
        await write().catch((error: unknown) => refused.push(error));
      }
      expect(context.signal.aborted).toBe(true);
    });
    await untilState(jobs.queue, run, 'running');
    await waitUntil(
      async () =>
        (await jobs.sql('SELECT 1 FROM job_run WHERE checkpoint IS NOT NULL AND id = $1', [run])).length === 1,
    );
    await jobs.sql(`UPDATE job_run SET state = 'queued' WHERE id = $1`, [run]);
    await untilState(jobs.queue, run, 'succeeded');
    open();
    await waitUntil(() => refused.length === 3);
    expect(refused.every((error) => error instanceof LeaseLostError)).toBe(true);
    await expect(jobs.sql('SELECT checkpoint, attempt FROM job_run WHERE id = $1', [run])).resolves.toEqual([
      { checkpoint: 'from attempt 2', attempt: 2 },
    ]);
  });

  it('stop on request, and resume from their checkpoint at the next start, without counting a failure', async () => {
    const run = await jobs.enqueue('long', async (context) => {
      await context.saveCheckpoint(7);
      await untilAborted(context.signal);
    });
    await waitUntil(
      async () =>
        (await jobs.sql('SELECT 1 FROM job_run WHERE checkpoint IS NOT NULL AND id = $1', [run])).length === 1,
    );
    await jobs.stopLast();
    const [left] = await jobs.database.dataSource.query<object[]>(
      'SELECT state, failures, owner FROM job_run WHERE id = $1',
      [run],
    );
    expect(left).toEqual({ state: 'queued', failures: 0, owner: null });
    let seen: number | null = null;
    const next = new ScriptedJob();
    next.behaviours.set('long', (context) => {
      seen = context.checkpoint<number>();
      return Promise.resolve();
    });
    await jobs.start({ provide: ScriptedJob, useValue: next });
    await untilState(jobs.program.get(JobQueue), run, 'succeeded');
    expect(seen).toBe(7);
  });

  it('survive the loss of all connections to Postgres', async () => {
    const { opened, open } = gate();
    const run = await jobs.enqueue('disturbed', async (context) => {
      await opened;
      await context.saveCheckpoint('after');
    });
    await untilState(jobs.queue, run, 'running');
    await jobs.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    open();
    await untilState(jobs.queue, run, 'succeeded');
    await untilState(jobs.queue, await jobs.enqueue('afterwards'), 'succeeded');
  });

  it('are each run by exactly one of several workers', async () => {
    const other = await jobs.startAnother(true);
    const otherJob = other.get(ScriptedJob);
    const ran: string[] = [];
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_value, index) => {
        const name = `shared ${index}`;
        const behaviour = () => {
          ran.push(name);
          return Promise.resolve();
        };
        otherJob.behaviours.set(name, behaviour);
        return jobs.enqueue(name, behaviour);
      }),
    );
    await Promise.all(runs.map((run) => untilState(jobs.queue, run, 'succeeded')));
    expect(new Set(ran).size).toBe(40);
    expect(ran).toHaveLength(40);
  });

  it('continue after their process was suspended for longer than the lease', async () => {
    const { opened, open } = gate();
    const run = await jobs.enqueue('suspended', () => opened);
    await untilState(jobs.queue, run, 'running');
    await jobs.sql(`UPDATE job_run SET lease_until = now() - interval '1 second' WHERE id = $1`, [run]);
    await jobs.program.get(JobWorker).reap();
    open();
    await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 1 });
  });

  describe('of a missing worker', () => {
    const leaveBehind = async (name: string, lostLeases: number) => {
      const run = await jobs.enqueue(name);
      await untilState(jobs.queue, run, 'succeeded');
      await jobs.sql(
        `UPDATE job_run SET state = 'running', finished_at = NULL, owner = 'gone', lease_until = now() - interval '1 second',
           lost_leases = $2 WHERE id = $1`,
        [run, lostLeases],
      );
      await jobs.startAnother(true);
      return run;
    };

    it('are reclaimed after their lease has expired', async () => {
      const run = await leaveBehind('left behind', 0);
      await expect(untilState(jobs.queue, run, 'succeeded')).resolves.toMatchObject({ attempt: 2 });
    });

    it('fail after ending too many workers', async () => {
      const run = await leaveBehind('poison', 20);
      await expect(untilState(jobs.queue, run, 'failed')).resolves.toMatchObject({
        error: 'The worker process ended 21 times while it ran this job',
      });
    });
  });

  it('without a handler are refused', async () => {
    await expect(jobs.queue.enqueue(defineJob<ScriptedPayload>('orphan'), { name: 'x' })).rejects.toThrow(
      'The job orphan has no handler',
    );
  });

  it('with a second handler prevent the start', async () => {
    await expect(startJobProgram({ url: jobs.database.url }, {}, [ScriptedJob, SecondScriptedJob])).rejects.toThrow(
      'The job scripted has a second handler, SecondScriptedJob',
    );
  });
});
