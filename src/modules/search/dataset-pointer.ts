import type { DatasetPointer, DatasetStatus } from '../datasets';

/** What is looked at: the state of a dataset that is served, or one that a snapshot kept. */
export interface ShownState {
  /** Null until a first table is published. */
  readonly pointer: DatasetPointer | null;
  readonly status: DatasetStatus;
}

/** All that search must know of a dataset. */
export interface DatasetPointerReader {
  /** Throws DatasetNotFoundError and SnapshotNotFoundError. */
  get(datasetId: string, snapshotId?: string): Promise<ShownState>;
}

export const DATASET_POINTER_READER = Symbol('DatasetPointerReader');
