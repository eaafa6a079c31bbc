import { Injectable } from '@nestjs/common';
import { DatasetReader } from '../datasets';
import { assertSnapshotsEnabled, SnapshotNotFoundError, SnapshotRepository } from '../snapshots/records';
import { Settings } from '../settings';
import type { DatasetPointerReader, ShownState } from './dataset-pointer';

@Injectable()
export class ShownStateReader implements DatasetPointerReader {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async get(datasetId: string, snapshotId?: string): Promise<ShownState> {
    const dataset = await this.datasets.get(datasetId);
    if (snapshotId === undefined) return dataset;
    assertSnapshotsEnabled(this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'), dataset);
    const snapshot = await this.snapshots.find(datasetId, snapshotId);
    if (snapshot === undefined) throw new SnapshotNotFoundError();
    // Made of a dataset at rest, and never changed since: whatever becomes of the dataset, it can be searched.
    return { pointer: snapshot.pointer, status: 'READY' };
  }
}
