import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DatasetStatusError, DatasetWriter, type Dataset, type NamedTag } from '../datasets';
import { DomainEvents } from '../events';
import { defaultSnapshotName, type Snapshot, type SnapshotReason } from './domain/snapshot';
import { SnapshotRepository } from './persistence/snapshot.repository';

interface SnapshotNote {
  readonly reason: SnapshotReason;
  /** E-mail address. */
  readonly createdBy: string;
  readonly tags: readonly NamedTag[];
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Makes snapshots: rows with the current pointer of a dataset. */
@Injectable()
export class TakeSnapshot {
  constructor(
    private readonly datasets: DatasetWriter,
    private readonly snapshots: SnapshotRepository,
    private readonly events: DomainEvents,
  ) {}

  /** The dataset must be locked. */
  async of(dataset: Dataset, { name, description = '', ...note }: SnapshotNote): Promise<Snapshot> {
    const { id: datasetId, displayName, pointer, counts, thumbnailKey } = dataset;
    if (pointer === null) throw new DatasetStatusError('snapshot', dataset.status, ['READY']);
    const id = randomUUID();
    const snapshot: Snapshot = {
      id,
      datasetId,
      name: name ?? defaultSnapshotName(displayName, id),
      description,
      createdAt: new Date(),
      pointer,
      counts,
      thumbnailKey,
      ...note,
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
  }
}
