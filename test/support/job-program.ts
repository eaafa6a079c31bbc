import type { Provider } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { DatabaseModule } from '../../src/common/platform/database/database.module';
import type { DatabaseConfig } from '../../src/common/platform/database/open-database';
import { JobQueue, type JobRunSummary } from '../../src/common/platform/jobs/job-queue';
import { JobsModule, type JobsModuleOptions } from '../../src/common/platform/jobs/jobs.module';
import { jobsPersistence } from '../../src/common/platform/jobs/jobs-persistence';
import { waitUntil } from './wait-until';

/** A Nest program that contains only jobs and their handlers. */
export async function startJobProgram(
  database: DatabaseConfig,
  options: Partial<JobsModuleOptions>,
  providers: Provider[],
): Promise<INestApplicationContext> {
  const testing = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot({ ...jobsPersistence, database, applicationName: 'test-jobs' }),
      ScheduleModule.forRoot(),
      JobsModule.forRoot({ work: true, soleWorker: false, ...options }),
    ],
    providers,
  }).compile();
  testing.useLogger(['fatal']);
  try {
    return await testing.init();
  } catch (error) {
    await testing.close();
    throw error;
  }
}

export async function untilState(
  queue: JobQueue,
  runId: string,
  state: JobRunSummary['state'],
): Promise<JobRunSummary> {
  let run: JobRunSummary | null = null;
  await waitUntil(async () => {
    run = await queue.find(runId);
    return run?.state === state;
  });
  return run!;
}
