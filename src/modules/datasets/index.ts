export { DeleteDatasetUseCase } from './delete-dataset.use-case';
export { DatasetOwnership } from './dataset-ownership';
export { DatasetReader, type AccessibleDataset, type DatasetPerson } from './dataset.reader';
export { DatasetsModule } from './datasets.module';
export {
  isSamePointer,
  type Dataset,
  type DatasetCounts,
  type DatasetPointer,
  type SourceType,
} from './domain/dataset';
export { DatasetNotFoundError, DatasetStatusError } from './domain/dataset-errors';
export { grants, type DatasetRole } from './domain/dataset-role';
export { assertSnapshotsEnabled, SnapshotNotFoundError } from './domain/snapshot-errors';
export {
  defaultSnapshotName,
  type NamedTag,
  SNAPSHOT_REASONS,
  type Snapshot,
  type SnapshotReason,
} from './domain/snapshot';
export {
  DATASET_STATUSES,
  legacyStatus,
  returnTo,
  underscored,
  type DatasetEvent,
  type DatasetStatus,
} from './domain/dataset-status';
export { datasetsPersistence } from './persistence';
export type { PublishedTable } from './persistence/dataset-states';
export { DatasetWriter } from './persistence/dataset.writer';
export { GenerationRepository } from './persistence/generation.repository';
export { SnapshotRepository } from './persistence/snapshot.repository';
