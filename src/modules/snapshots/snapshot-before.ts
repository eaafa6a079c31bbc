import { Injectable } from '@nestjs/common';
import type { Dataset } from '../datasets';
import { TagNames } from '../versions';
import { Settings } from '../settings';
import { type Snapshot, type SnapshotReason, assertSnapshotsEnabled } from './domain/snapshot';
import { TakeSnapshot } from './take-snapshot';

interface SnapshotWords {
  readonly reason: SnapshotReason;
  readonly description: string;
  /** E-mail address. */
  readonly createdBy: string;
}

/** Snapshots of the state before an operation changes a dataset, which must be locked. */
@Injectable()
export class SnapshotBefore {
  constructor(
    private readonly settings: Settings,
    private readonly tagNames: TagNames,
    private readonly takeSnapshot: TakeSnapshot,
  ) {}

  /** Throws if snapshots are off. */
  async take(dataset: Dataset, words: SnapshotWords): Promise<Snapshot> {
    assertSnapshotsEnabled(this.isOn, dataset);
    return this.takeSnapshot.of(dataset, { ...words, tags: await this.tagNames.list(dataset.id) });
  }

  async takeIfOn(dataset: Dataset, words: SnapshotWords): Promise<void> {
    if (this.isOn && dataset.snapshotsSupported) await this.take(dataset, words);
  }

  private get isOn(): boolean {
    return this.settings.isOn('DATASET_SNAPSHOTS_ENABLED');
  }
}
