import type { DatasetPointer, DatasetStatus } from '../datasets';

/** A published state of a dataset: the current one, or that of a snapshot. */
export interface PublishedState {
  /** Null until the first table is published. */
  readonly pointer: DatasetPointer | null;
  readonly status: DatasetStatus;
}

/** The fields of datasets and snapshots that searches need. */
export interface DatasetPointerReader {
  /** Throws DatasetNotFoundError and SnapshotNotFoundError. */
  get(datasetId: string, snapshotId?: string): Promise<PublishedState>;
}

export const DATASET_POINTER_READER = Symbol('DatasetPointerReader');
