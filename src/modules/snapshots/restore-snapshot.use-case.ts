import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import { JobQueue } from '../../common/jobs/job-queue';
import { DatasetRepository, DatasetStatusError, SnapshotNotFoundError } from '../datasets';
import { TaskLedger } from '../tasks';
import { RESTORABLE } from './domain/eligible-statuses';
import type { Restoration } from './domain/restoration';
import { RESTORE_SNAPSHOT } from './jobs/restore-snapshot.job';
import { SnapshotFeature } from './snapshot-feature';

/** Starts the way back, or forward, to a snapshot; until the job is done, what was there is served. */
@Injectable()
export class RestoreSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  async start(datasetId: string, asked: string, createdBy: string): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.feature.lock(datasetId);
      const wanted = asked === 'current' ? dataset.currentSnapshotId : asked;
      if (wanted === null) throw new SnapshotNotFoundError();
      const { id: snapshotId } = await this.feature.snapshotOf(dataset, wanted);
      await this.tasks.assertNotBlocked('snapshot_restore', datasetId);
      if (!RESTORABLE.includes(dataset.status))
        throw new DatasetStatusError('snapshot_restore', dataset.status, RESTORABLE);
      const parameters: Restoration = { snapshotId, previousStatus: dataset.status };
      const task = await this.tasks.open({
        datasetId,
        datasetName: dataset.displayName,
        type: 'SNAPSHOT_RESTORE',
        createdBy,
        parameters,
      });
      await this.datasets.applyEvent(dataset, 'restore-started', { progress: 0 });
      await this.tasks.assignJob(task.id, await this.jobs.enqueue(RESTORE_SNAPSHOT, { datasetId, taskId: task.id }));
    });
  }
}
