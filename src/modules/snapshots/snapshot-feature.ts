import { Injectable } from '@nestjs/common';
import { DatasetReader, type Dataset } from '../datasets';
import { assertSnapshotsEnabled, SnapshotNotFoundError, type Snapshot } from './domain/snapshot';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { Settings } from '../settings';

/** Access to datasets and their snapshots, if snapshots are enabled. */
@Injectable()
export class SnapshotFeature {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async get(datasetId: string): Promise<Dataset> {
    return this.enabled(await this.datasets.get(datasetId));
  }

  /** Locks the dataset until the transaction ends. */
  async lock(datasetId: string): Promise<Dataset> {
    return this.enabled(await this.datasets.lock(datasetId));
  }

  /** Newest first. */
  listOf(dataset: Dataset): Promise<Snapshot[]> {
    return this.snapshots.list(dataset.id);
  }

  async snapshotOf(dataset: Dataset, id: string): Promise<Snapshot> {
    const snapshot = await this.snapshots.find(dataset.id, id);
    if (snapshot === undefined) throw new SnapshotNotFoundError();
    return snapshot;
  }

  private enabled(dataset: Dataset): Dataset {
    assertSnapshotsEnabled(this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'), dataset);
    return dataset;
  }
}
