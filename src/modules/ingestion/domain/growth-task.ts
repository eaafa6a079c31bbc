import type { DatasetStatus } from '../../datasets';
import type { AddedBatch } from './added-source';

/** What the task of an operation keeps, so that a failure can take the dataset back to where it began. */
export interface GrowthParameters {
  readonly previousStatus: DatasetStatus;
}

export interface AddMediaParameters extends GrowthParameters, AddedBatch {}
