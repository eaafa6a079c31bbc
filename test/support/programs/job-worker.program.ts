import { Injectable, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '../../../src/common/platform/database/database.module';
import { JobHandler, type JobContext, type JobRunner } from '../../../src/common/platform/jobs/job-handler';
import { defineJob } from '../../../src/common/platform/jobs/job-type';
import { jobsPersistence } from '../../../src/common/platform/jobs/jobs-persistence';
import { JobsModule } from '../../../src/common/platform/jobs/jobs.module';

export const COUNT_STEPS = defineJob<{ readonly steps: number }>('count-steps');

/** Records each completed step; the first attempt hangs half-way, to be killed there. */
@JobHandler(COUNT_STEPS)
@Injectable()
class CountStepsJob implements JobRunner<{ readonly steps: number }> {
  async run({ steps }: { readonly steps: number }, context: JobContext): Promise<void> {
    for (let step = context.checkpoint<number>() ?? 0; step < steps; step += 1) {
      if (context.attempt === 1 && step === steps / 2) {
        console.log('half-way');
        await new Promise(() => undefined);
      }
      await context.commit(async (manager) => {
        await manager.query('INSERT INTO step (run_id, step, attempt) VALUES ($1, $2, $3)', [
          context.runId,
          step,
          context.attempt,
        ]);
        await context.saveCheckpoint(step + 1);
      });
    }
  }
}

async function main(url: string): Promise<void> {
  Logger.overrideLogger(['error']);
  @Module({
    imports: [
      DatabaseModule.forRoot({ ...jobsPersistence, database: { url }, applicationName: 'job-worker' }),
      JobsModule.forRoot({ work: true, soleWorker: true }),
    ],
    providers: [CountStepsJob],
  })
  class WorkerModule {}

  const app = await NestFactory.createApplicationContext(WorkerModule);
  app.enableShutdownHooks();
  console.log('started');
}

if (require.main === module) void main(process.argv[2]!);
