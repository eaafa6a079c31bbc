import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetWriter, DatasetStatusError } from '../datasets';
import { defaultSnapshotName, type Snapshot } from './domain/snapshot';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { DomainEvents } from '../events';
import { TagNames } from '../search';
import { TaskLedger } from '../tasks';
import { SnapshotFeature } from './snapshot-feature';

export interface SnapshotText {
  readonly name?: string | undefined;
  readonly description: string;
}

/** Makes a snapshot: a row with the current pointer of the dataset. */
@Injectable()
export class CreateSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly datasets: DatasetWriter,
    private readonly snapshots: SnapshotRepository,
    private readonly tasks: TaskLedger,
    private readonly tagNames: TagNames,
    private readonly events: DomainEvents,
  ) {}

  create(datasetId: string, words: SnapshotText, createdBy: string): Promise<Snapshot> {
    return this.transactions.run(async () => {
      const { displayName, status, pointer, counts, thumbnailKey } = await this.feature.lock(datasetId);
      await this.tasks.assertNotBlocked('snapshot', datasetId);
      if (status !== 'READY' || pointer === null) throw new DatasetStatusError('snapshot', status, ['READY']);
      const id = randomUUID();
      const snapshot: Snapshot = {
        id,
        datasetId,
        name: words.name ?? defaultSnapshotName(displayName, id),
        description: words.description,
        reason: 'manual',
        createdAt: new Date(),
        createdBy,
        pointer,
        tags: await this.tagNames.list(datasetId),
        counts,
        thumbnailKey,
      };
      await this.snapshots.insert(snapshot);
      await this.datasets.setCurrentSnapshot(datasetId, id);
      await this.events.record({
        type: 'snapshot.created',
        datasetId,
        datasetName: displayName,
        snapshotId: id,
        snapshotName: snapshot.name,
        reason: snapshot.reason,
      });
      return snapshot;
    });
  }
}
