import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { JobHandler, type JobContext, type JobRunner } from '../../../src/common/platform/jobs/job-handler';
import { JobQueue } from '../../../src/common/platform/jobs/job-queue';
import { defineJob } from '../../../src/common/platform/jobs/job-type';
import { startJobProgram } from '../../support/job-program';
import { waitUntil } from '../../support/wait-until';

const HOLD = defineJob<object>('hold', { retryDelaySeconds: 0.1 });

@JobHandler(HOLD)
@Injectable()
class HoldJob implements JobRunner<object> {
  begun = false;
  release = (): void => undefined;
  private readonly held = new Promise<void>((resolve) => (this.release = resolve));

  async run(_payload: object, context: JobContext): Promise<void> {
    this.begun = true;
    await this.held;
    await context.saveCheckpoint('let go');
  }
}

describe('jobs on embedded Postgres', () => {
  let folder: string;
  let program: INestApplicationContext;

  const start = () => startJobProgram({ embedded: { folder } }, { soleWorker: true }, [HoldJob]);
  const postmaster = () => Number.parseInt(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8'), 10);
  const succeeds = (run: string) =>
    waitUntil(() =>
      program
        .get(JobQueue)
        .find(run)
        .then(
          (found) => found?.state === 'succeeded',
          () => false,
        ),
    );

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jobs-embedded-'));
    program = await start();
  });

  afterEach(async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('survive a crash of the server', async () => {
    const run = await program.get(JobQueue).enqueue(HOLD, {});
    await waitUntil(() => program.get(HoldJob).begun);
    process.kill(postmaster(), 'SIGKILL');
    program.get(HoldJob).release();
    await succeeds(run);
  });

  it('are resumed after the program and its server have stopped', async () => {
    const run = await program.get(JobQueue).enqueue(HOLD, {}, { delayMs: 1_000 });
    await program.close();
    expect(postmaster).toThrow('ENOENT');
    program = await start();
    program.get(HoldJob).release();
    await succeeds(run);
  });
});
