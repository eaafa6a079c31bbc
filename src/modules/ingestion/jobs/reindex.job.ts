import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetOperations, toPreviousStatus, type OperationPayload, type OperationType } from '../../tasks';
import { growthParameters, type GrowthParameters } from '../domain/growth-task';
import { GrowthOperation } from './growth-operation';
import type { IndexingRun } from './indexing-run';
import { ProgressReporter } from './progress-reporter';
import { RebuildStep } from './rebuild.step';
import { TaskWork } from './task-work';

export const REINDEX = defineJob<OperationPayload>('reindex');

export const REINDEXING: OperationType<GrowthParameters> = {
  task: 'REINDEX',
  job: REINDEX,
  parameters: growthParameters,
  begun: 'reindex-started',
  failed: toPreviousStatus,
};

/** Compares and clusters all media of a dataset anew; none is read again. */
@JobHandler(REINDEX)
@Injectable()
export class ReindexJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskWork,
    private readonly operations: DatasetOperations,
    private readonly growth: GrowthOperation,
    private readonly rebuild: RebuildStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.reindex(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.tellWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.growth.fail(REINDEXING, payload, error, attempt);
  }

  private async reindex(run: IndexingRun): Promise<void> {
    const progress = new ProgressReporter(this.operations, run);
    const growing = await this.growth.open(REINDEXING, run);
    const table = await this.rebuild.rebuild(run, growing, undefined, (phase, part) => {
      if (phase === 'comparing') progress.report(70 * part, 'Comparing media');
      else progress.report(70 + 29 * part, 'Writing the table');
    });
    await progress.settle();
    await this.growth.publish(run, growing, table, 'indexing-completed', { warnings: [] });
  }
}
