import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/config/configuration';
import {
  assertSnapshotsEnabled,
  DatasetReader,
  DatasetRepository,
  SnapshotNotFoundError,
  SnapshotRepository,
  type Dataset,
  type Snapshot,
} from '../datasets';

/** The way to a dataset and its snapshots, for those that have them. */
@Injectable()
export class SnapshotFeature {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly reader: DatasetReader,
    private readonly datasets: DatasetRepository,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async get(datasetId: string): Promise<Dataset> {
    return this.enabled(await this.reader.get(datasetId));
  }

  /** Holds the dataset until the transaction ends. */
  async lock(datasetId: string): Promise<Dataset> {
    return this.enabled(await this.datasets.lock(datasetId));
  }

  async snapshotOf(dataset: Dataset, id: string): Promise<Snapshot> {
    const snapshot = await this.snapshots.find(dataset.id, id);
    if (snapshot === undefined) throw new SnapshotNotFoundError();
    return snapshot;
  }

  private enabled(dataset: Dataset): Dataset {
    assertSnapshotsEnabled(this.configuration.snapshotsEnabled, dataset);
    return dataset;
  }
}
