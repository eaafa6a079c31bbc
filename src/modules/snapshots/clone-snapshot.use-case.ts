import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import {
  derivedDataset,
  DatasetWriter,
  DatasetStatusError,
  MetadataFieldRepository,
  RemovedFilesRepository,
} from '../datasets';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { DatasetOperations, TaskLedger } from '../tasks';
import { CloneCompanions } from './clone-companions';
import { copiedSnapshot } from './domain/copied-snapshot';
import { RESTORABLE } from './domain/eligible-statuses';
import { CLONING } from './jobs/clone-snapshot.job';
import { SnapshotFeature } from './snapshot-feature';

/** Creates the new dataset with a snapshot of its own, which pins the state whatever happens to the source. */
@Injectable()
export class CloneSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly datasets: DatasetWriter,
    private readonly snapshots: SnapshotRepository,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly companions: CloneCompanions,
    private readonly fields: MetadataFieldRepository,
    private readonly removedFiles: RemovedFilesRepository,
  ) {}

  async start(datasetId: string, snapshotId: string, withViews: boolean, owner: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const source = await this.feature.lock(datasetId);
      const original = await this.feature.snapshotOf(source, snapshotId);
      await this.tasks.assertNotBlocked('snapshot_clone', datasetId);
      if (!RESTORABLE.includes(source.status))
        throw new DatasetStatusError('snapshot_clone', source.status, RESTORABLE);
      const words = { displayName: `${source.displayName} (cloned)`, description: source.description };
      const clone = derivedDataset(source, words, owner);
      const snapshot = copiedSnapshot(original, clone, owner.email);
      await this.datasets.insert(clone);
      await this.snapshots.insert(snapshot);
      await this.companions.always(source, clone, owner);
      await this.fields.copy(source.id, clone.id);
      await this.removedFiles.copy(source.id, clone.id);
      if (withViews) await this.companions.views(source, clone, owner);
      await this.operations.start(CLONING, clone, owner.email, { snapshotId: snapshot.id });
    });
  }
}
