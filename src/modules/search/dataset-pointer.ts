import type { DatasetPointer, DatasetStatus } from '../datasets';

/** All that search must know of a dataset; `DatasetReader` answers it. */
export interface DatasetPointerReader {
  /** The pointer is null until a first table is published. Throws DatasetNotFoundError. */
  get(datasetId: string): Promise<{ readonly pointer: DatasetPointer | null; readonly status: DatasetStatus }>;
}

export const DATASET_POINTER_READER = Symbol('DatasetPointerReader');
