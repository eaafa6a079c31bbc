import type { DatasetStatus } from '../../datasets';

/** What a SNAPSHOT_RESTORE task was asked to do. */
export interface Restoration {
  readonly snapshotId: string;
  /** To which the dataset returns when it fails. */
  readonly previousStatus: DatasetStatus;
}
