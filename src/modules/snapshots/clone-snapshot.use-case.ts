import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { JobQueue } from '../../common/jobs/job-queue';
import { DatasetRepository, DatasetStatusError, SnapshotRepository } from '../datasets';
import { TaskLedger } from '../tasks';
import { CloneCompanions } from './clone-companions';
import { clonedDataset } from './domain/cloned-dataset';
import { copiedSnapshot } from './domain/copied-snapshot';
import { RESTORABLE } from './domain/eligible-statuses';
import { CLONE_SNAPSHOT } from './jobs/clone-snapshot.job';
import { SnapshotFeature } from './snapshot-feature';

/** Makes the new dataset, and at once a snapshot of its own: whatever becomes of the source, its state is held on to. */
@Injectable()
export class CloneSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly datasets: DatasetRepository,
    private readonly snapshots: SnapshotRepository,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
    private readonly companions: CloneCompanions,
  ) {}

  async start(datasetId: string, snapshotId: string, withViews: boolean, owner: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const source = await this.feature.lock(datasetId);
      const original = await this.feature.snapshotOf(source, snapshotId);
      await this.tasks.assertNotBlocked('snapshot_clone', datasetId);
      if (!RESTORABLE.includes(source.status))
        throw new DatasetStatusError('snapshot_clone', source.status, RESTORABLE);
      const clone = clonedDataset(source, owner);
      const snapshot = copiedSnapshot(original, clone, owner.email);
      await this.datasets.insert(clone);
      await this.snapshots.insert(snapshot);
      if (withViews) await this.companions.views(source, clone, owner);
      const task = await this.tasks.open({
        datasetId: clone.id,
        datasetName: clone.displayName,
        type: 'SNAPSHOT_CLONE',
        createdBy: owner.email,
        parameters: { snapshotId: snapshot.id },
      });
      await this.tasks.assignJob(
        task.id,
        await this.jobs.enqueue(CLONE_SNAPSHOT, { datasetId: clone.id, taskId: task.id }),
      );
    });
  }
}
