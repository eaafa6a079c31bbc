import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetStatusError } from '../datasets';
import { SnapshotNotFoundError, RESTORABLE, type Restoration, restoration } from './domain/snapshot';
import { DatasetOperations, TaskLedger } from '../tasks';
import { RESTORATION } from './jobs/restore-snapshot.job';
import { SnapshotFeature } from './snapshot-feature';

@Injectable()
export class RunningRestorations {
  constructor(private readonly tasks: TaskLedger) {}

  /** The snapshot being restored; a dataset has at most one restore at a time. */
  async of(datasetId: string): Promise<string | undefined> {
    const [task] = await this.tasks.runningOf(datasetId, 'SNAPSHOT_RESTORE');
    return task && restoration.parse(task.parameters).snapshotId;
  }
}

/** Starts the restore of a snapshot; the current state is served until the job ends. */
@Injectable()
export class RestoreSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
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
      await this.operations.start(RESTORATION, dataset, createdBy, parameters);
    });
  }
}
