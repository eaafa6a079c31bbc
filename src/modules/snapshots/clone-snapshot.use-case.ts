import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetCopies, DatasetStatusError, derivedDataset } from '../datasets';
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
    private readonly copies: DatasetCopies,
    private readonly snapshots: SnapshotRepository,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly companions: CloneCompanions,
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
      await this.copies.insert(source, clone);
      await this.snapshots.insert(snapshot);
      await this.companions.always(source, clone, owner);
      if (withViews) await this.companions.views(source, clone, owner);
      await this.operations.start(CLONING, clone, owner.email, { snapshotId: snapshot.id });
    });
  }
}
