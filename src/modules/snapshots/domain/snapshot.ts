import type { DatasetCounts, DatasetPointer, NamedTag } from '../../datasets';

export const SNAPSHOT_REASONS = ['manual', 'creation', 'clone', 'enrichment', 'removal'] as const;
export type SnapshotReason = (typeof SNAPSHOT_REASONS)[number];

/** A saved state of a dataset that can be searched, restored and cloned. */
export interface Snapshot {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly description: string;
  readonly reason: SnapshotReason;
  readonly createdAt: Date;
  /** E-mail address. */
  readonly createdBy: string;
  readonly pointer: DatasetPointer;
  readonly tags: readonly NamedTag[];
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
}

export const defaultSnapshotName = (datasetName: string, snapshotId: string): string =>
  `${datasetName}_snapshot_${snapshotId}`;
