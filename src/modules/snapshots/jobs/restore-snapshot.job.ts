import { Injectable } from '@nestjs/common';
import { JobHandler, type JobAttempt, type JobContext, type JobRunner } from '../../../common/jobs/job-handler';
import { defineJob } from '../../../common/jobs/job-type';
import { DatasetRepository, returnTo } from '../../datasets';
import { TaskLedger } from '../../tasks';
import type { Restoration } from '../domain/restoration';
import { ReturnToSnapshotStep, type SnapshotJobPayload } from './return-to-snapshot.step';

export const RESTORE_SNAPSHOT = defineJob<SnapshotJobPayload>('restore-snapshot', { concurrency: 4 });

@JobHandler(RESTORE_SNAPSHOT)
@Injectable()
export class RestoreSnapshotJob implements JobRunner<SnapshotJobPayload> {
  constructor(
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly returnToSnapshot: ReturnToSnapshotStep,
  ) {}

  run(payload: SnapshotJobPayload, context: JobContext): Promise<void> {
    return this.returnToSnapshot.run(payload, context, 'restore-completed');
  }

  async waiting({ taskId }: SnapshotJobPayload, sentence: string): Promise<void> {
    await this.tasks.tellWaiting(taskId, sentence);
  }

  async failed({ datasetId, taskId }: SnapshotJobPayload, error: Error, { runId }: JobAttempt): Promise<void> {
    const dataset = await this.datasets.lock(datasetId);
    if (!(await this.tasks.fail(taskId, runId, error.message))) return;
    const { previousStatus } = (await this.tasks.lock(taskId)).parameters as Restoration;
    await this.datasets.applyEvent(
      dataset,
      returnTo(previousStatus),
      previousStatus === 'ERROR' ? {} : { progress: 100 },
    );
  }
}
