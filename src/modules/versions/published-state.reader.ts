import { Injectable } from '@nestjs/common';
import { DatasetReader } from '../datasets';
import { assertSnapshotsEnabled, SnapshotNotFoundError, SnapshotRepository } from '../snapshots/records';
import { Settings } from '../settings';
import type { DatasetPointerReader, PublishedState } from './dataset-pointer';

@Injectable()
export class PublishedStateReader implements DatasetPointerReader {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async get(datasetId: string, snapshotId?: string): Promise<PublishedState> {
    const dataset = await this.datasets.get(datasetId);
    if (snapshotId === undefined) return dataset;
    assertSnapshotsEnabled(this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'), dataset);
    const snapshot = await this.snapshots.find(datasetId, snapshotId);
    if (snapshot === undefined) throw new SnapshotNotFoundError();
    // A snapshot is immutable and was made of a READY dataset, so it can be searched whatever the dataset's status.
    return { pointer: snapshot.pointer, status: 'READY' };
  }
}
