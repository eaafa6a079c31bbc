import { join } from 'node:path';
import { schemaDifferences } from '../../../src/common/platform/database/open-database';
import { jobsPersistence } from '../../../src/common/platform/jobs/jobs-persistence';
import { ChildProgram } from '../../support/child-program';
import { startJobProgram, untilState } from '../../support/job-program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { JobQueue } from '../../../src/common/platform/jobs/job-queue';
import { COUNT_STEPS } from '../../support/programs/job-worker.program';
import { JobHandler, type JobRunner } from '../../../src/common/platform/jobs/job-handler';

const PROGRAM = join(__dirname, '..', '..', 'support', 'programs', 'job-worker.program.ts');

@JobHandler(COUNT_STEPS)
class NeverRunHere implements JobRunner<{ readonly steps: number }> {
  run(): Promise<void> {
    return Promise.reject(new Error('Only the child programs work.'));
  }
}

describe('jobs of a killed program', () => {
  let database: TestDatabase;
  const programs: ChildProgram[] = [];

  const startWorker = async () => {
    const program = ChildProgram.start(PROGRAM, [database.url]);
    programs.push(program);
    await program.untilLine('started');
    return program;
  };

  beforeAll(async () => {
    database = await createTestDatabase(jobsPersistence);
    await database.dataSource.query('CREATE TABLE step (run_id uuid, step int, attempt int)');
  });

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database.drop();
  });

  it('have tables that match their entities', async () => {
    await expect(schemaDifferences(database.dataSource)).resolves.toEqual([]);
  });

  it('resume from the last commit at the next start, with each step done once', async () => {
    const api = await startJobProgram({ url: database.url }, { work: false }, [NeverRunHere]);
    const queue = api.get(JobQueue);
    const run = await queue.enqueue(COUNT_STEPS, { steps: 10 });
    const first = await startWorker();
    await first.untilLine('half-way');
    await first.kill();
    await startWorker();
    await untilState(queue, run, 'succeeded');
    const steps = await database.dataSource.query<object[]>(
      'SELECT step, attempt FROM step WHERE run_id = $1 ORDER BY step',
      [run],
    );
    expect(steps).toEqual(Array.from({ length: 10 }, (_value, step) => ({ step, attempt: step < 5 ? 1 : 2 })));
    await api.close();
  });
});
