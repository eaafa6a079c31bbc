import { Injectable } from '@nestjs/common';
import { JobHandler, type JobAttempt, type JobContext, type JobRunner } from '../../../common/jobs/job-handler';
import { defineJob } from '../../../common/jobs/job-type';
import { DatasetRepository } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { ReturnToSnapshotStep, type SnapshotJobPayload } from './return-to-snapshot.step';

export const CLONE_SNAPSHOT = defineJob<SnapshotJobPayload>('clone-snapshot', { concurrency: 4 });

/** The new dataset has a snapshot from its beginning; to clone is to show it. */
@JobHandler(CLONE_SNAPSHOT)
@Injectable()
export class CloneSnapshotJob implements JobRunner<SnapshotJobPayload> {
  constructor(
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly returnToSnapshot: ReturnToSnapshotStep,
  ) {}

  run(payload: SnapshotJobPayload, context: JobContext): Promise<void> {
    return this.returnToSnapshot.run(payload, context, 'indexing-completed');
  }

  async waiting({ taskId }: SnapshotJobPayload, sentence: string): Promise<void> {
    await this.tasks.tellWaiting(taskId, sentence);
  }

  async failed({ datasetId, taskId }: SnapshotJobPayload, error: Error, { runId }: JobAttempt): Promise<void> {
    const dataset = await this.datasets.lock(datasetId);
    if (await this.tasks.fail(taskId, runId, error.message))
      await this.datasets.applyEvent(dataset, 'indexing-failed', { fatalErrorMessage: error.message });
  }
}
