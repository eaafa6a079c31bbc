export { DatasetCopies } from './dataset-ownership';
export { DeleteDatasetUseCase } from './delete-dataset.use-case';
export { DatasetOwnership } from './dataset-ownership';
export { DatasetReader, type AccessibleDataset, type DatasetPerson } from './dataset.reader';
export { DatasetsModule } from './datasets.module';
export {
  isSamePointer,
  placeOf,
  type Dataset,
  type DatasetCounts,
  type DatasetPointer,
  type SourceType,
  type VersionPlace,
} from './domain/dataset';
export type { AppliedModel, AppliedModels } from './domain/dataset';
export { DatasetNotFoundError, DatasetStatusError } from './domain/dataset-status';
export { grants, type DatasetRole } from './domain/dataset-role';
export { derivedDataset } from './domain/dataset';
export { MAX_METADATA_FIELDS, type MetadataField } from './domain/dataset';
export type { NamedTag } from './domain/dataset';
export {
  DATASET_STATUSES,
  legacyStatus,
  returnTo,
  TRANSITIONS,
  underscored,
  type DatasetEvent,
  type DatasetStatus,
} from './domain/dataset-status';
export { datasetsPersistence } from './persistence/schema';
export { pointerAsJson } from './persistence/generation.entity';
export {
  countColumns,
  countsOf,
  RELEASED_VERSION,
  ShownVersionColumns,
  VersionColumns,
  versionColumns,
} from './persistence/version.columns';
export type { PublishedTable, RestoredState } from './persistence/dataset-states';
export { DatasetWriter } from './persistence/dataset.writer';
export { MetadataFieldRepository } from './persistence/metadata-field.repository';
export { LabelSetRepository } from './persistence/label-set.repository';
export { LABEL_ATTRIBUTE_TYPES, type LabelAttribute, type LabelSet } from './domain/label-set';
export { RemovedFilesRepository } from './persistence/removed-files.repository';
export { GenerationRepository } from './persistence/generation.repository';
