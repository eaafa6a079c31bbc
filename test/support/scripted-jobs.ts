import type { INestApplicationContext, Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobQueue } from '../../src/common/platform/jobs/job-queue';
import { jobsPersistence } from '../../src/common/platform/jobs/jobs-persistence';
import { startJobProgram } from './job-program';
import { SCRIPTED, ScriptedJob, type Behaviour } from './scripted-job';
import { createTestDatabase, type TestDatabase } from './test-database';

/** A program with scripted jobs for each test of a file, and further programs that a test starts. */
export class ScriptedJobs {
  database!: TestDatabase;
  program!: INestApplicationContext;
  private programs: INestApplicationContext[] = [];

  static forEachTest(): ScriptedJobs {
    const jobs = new ScriptedJobs();
    beforeAll(async () => {
      jobs.database = await createTestDatabase(jobsPersistence);
    });
    afterAll(() => jobs.database.drop());
    beforeEach(() => jobs.start());
    afterEach(async () => {
      await Promise.all(jobs.programs.map((started) => started.close()));
      jobs.programs = [];
    });
    return jobs;
  }

  get queue(): JobQueue {
    return this.program.get(JobQueue);
  }

  get job(): ScriptedJob {
    return this.program.get(ScriptedJob);
  }

  /** Starts a program, which the following calls use. */
  async start(provider: Provider = ScriptedJob, outageWaitMs?: number): Promise<void> {
    this.program = await this.startAnother(true, provider, outageWaitMs);
  }

  async startAnother(work: boolean, provider: Provider = ScriptedJob, outageWaitMs = 60_000) {
    const options = { work, outageWaitMs };
    const started = await startJobProgram({ url: this.database.url }, options, [provider]);
    this.programs.push(started);
    return started;
  }

  async stopLast(): Promise<void> {
    await this.programs.pop()!.close();
  }

  enqueue(name: string, behaviour: Behaviour = () => Promise.resolve()): Promise<string> {
    this.job.behaviours.set(name, behaviour);
    return this.queue.enqueue(SCRIPTED, { name });
  }

  sql(statement: string, values: unknown[] = []): Promise<unknown[]> {
    return this.program.get(DataSource).query<unknown[]>(statement, values);
  }
}
