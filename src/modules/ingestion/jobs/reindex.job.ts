import { Injectable } from '@nestjs/common';
import { JobHandler, type JobAttempt, type JobContext, type JobRunner } from '../../../common/jobs/job-handler';
import { defineJob } from '../../../common/jobs/job-type';
import { DatasetRepository } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { GrowthOperation, type GrowthPayload } from './growth-operation';
import type { IndexingRun } from './indexing-run';
import { ProgressReporter } from './progress-reporter';
import { RebuildStep } from './rebuild.step';
import { TaskWork } from './task-work';

export const REINDEX = defineJob<GrowthPayload>('reindex');

/** Compares and clusters all media of a dataset anew; none is read again. */
@JobHandler(REINDEX)
@Injectable()
export class ReindexJob implements JobRunner<GrowthPayload> {
  constructor(
    private readonly work: TaskWork,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly operation: GrowthOperation,
    private readonly rebuild: RebuildStep,
  ) {}

  run(payload: GrowthPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.reindex(run));
  }

  async waiting({ taskId }: GrowthPayload, sentence: string): Promise<void> {
    await this.tasks.tellWaiting(taskId, sentence);
  }

  async failed(payload: GrowthPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operation.fail(payload, error, attempt);
  }

  private async reindex(run: IndexingRun): Promise<void> {
    const progress = new ProgressReporter(this.tasks, this.datasets, run);
    const growing = await this.operation.open(run);
    const table = await this.rebuild.rebuild(run, growing, undefined, (phase, part) => {
      if (phase === 'comparing') progress.report(70 * part, 'Comparing media');
      else progress.report(70 + 29 * part, 'Writing the table');
    });
    await progress.settle();
    await this.operation.publish(run, growing, table, 'indexing-completed', { warnings: [] });
  }
}
