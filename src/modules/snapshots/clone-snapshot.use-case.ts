import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetCopies, DatasetStatusError, derivedDataset, type Dataset } from '../datasets';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { DatasetOperations, TaskLedger } from '../tasks';
import { copiedSnapshot, RESTORABLE, type Snapshot } from './domain/snapshot';
import { CLONING } from './jobs/clone-snapshot.job';
import { SnapshotFeature } from './snapshot-feature';

type Copy = (source: Dataset, clone: Dataset, owner: Principal) => Promise<void>;
/** The ids of evaluations in the clone, by those of the source. */
export type EvaluationCopies = ReadonlyMap<string, string>;
type CopyEvaluations = (snapshot: Snapshot, clone: Dataset) => Promise<EvaluationCopies>;
type CopyViews = (source: Dataset, clone: Dataset, owner: Principal, evaluations: EvaluationCopies) => Promise<void>;

/** Contents of a clone that other modules know, copied in the transaction that creates it, with the source locked. */
@Injectable()
export class CloneCompanions {
  private copyViews: CopyViews | undefined;
  private copyEvaluations: CopyEvaluations | undefined;
  private readonly copies: Copy[] = [];

  /** Of what every clone has. */
  register(copy: Copy): void {
    this.copies.push(copy);
  }

  async always(source: Dataset, clone: Dataset, owner: Principal): Promise<void> {
    for (const copy of this.copies) await copy(source, clone, owner);
  }

  /** Those that a clone of a snapshot has. */
  registerEvaluations(copy: CopyEvaluations): void {
    if (this.copyEvaluations !== undefined) throw new Error('registerEvaluations was called twice');
    this.copyEvaluations = copy;
  }

  async evaluations(snapshot: Snapshot, clone: Dataset): Promise<EvaluationCopies> {
    if (this.copyEvaluations === undefined) throw new Error('registerEvaluations was not called');
    return await this.copyEvaluations(snapshot, clone);
  }

  registerViews(copy: CopyViews): void {
    if (this.copyViews !== undefined) throw new Error('registerViews was called twice');
    this.copyViews = copy;
  }

  async views(source: Dataset, clone: Dataset, owner: Principal, evaluations: EvaluationCopies): Promise<void> {
    if (this.copyViews === undefined) throw new Error('registerViews was not called');
    await this.copyViews(source, clone, owner, evaluations);
  }
}

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
      const evaluations = await this.companions.evaluations(original, clone);
      if (withViews) await this.companions.views(source, clone, owner, evaluations);
      await this.operations.start(CLONING, clone, owner.email, { snapshotId: snapshot.id });
    });
  }
}
