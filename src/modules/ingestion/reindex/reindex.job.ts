import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { toPreviousStatus, type OperationPayload, type OperationType } from '../../tasks';
import {
  type IndexingRun,
  RebuildStep,
  TaskRunner,
  UpdateOperation,
  updateParameters,
  type UpdateParameters,
} from '../../tables';

export const REINDEX = defineJob<OperationPayload>('reindex');

export const REINDEXING: OperationType<UpdateParameters> = {
  task: 'REINDEX',
  job: REINDEX,
  parameters: updateParameters,
  begun: 'reindex-started',
  failed: toPreviousStatus,
};

/** Compares and clusters all media of a dataset again, without reading the files. */
@JobHandler(REINDEX)
@Injectable()
export class ReindexJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly updates: UpdateOperation,
    private readonly rebuild: RebuildStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.reindex(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.updates.fail(REINDEXING, payload, error, attempt);
  }

  private async reindex(run: IndexingRun): Promise<void> {
    const progress = this.work.progressOf(run);
    const update = await this.updates.open(REINDEXING, run);
    const table = await this.rebuild.rebuild(run, update, undefined, (phase, part) => {
      if (phase === 'comparing') progress.report(70 * part, 'Comparing media');
      else progress.report(70 + 29 * part, 'Writing the table');
    });
    await progress.settle();
    await this.updates.publish(run, update, table, 'indexing-completed', { warnings: [] });
  }
}
