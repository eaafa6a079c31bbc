export { folderLabels } from './analysis/domain/folder-labels';
export { classifyFileName, extensionOf } from './analysis/domain/media-formats';
export { inPixels, isMarked, type MarkedObject } from './analysis/domain/same-object';
export type { SourceFile } from './analysis/domain/source-file';
export { attemptName, PART_WEIGHT, WORK_PREFIX, workPrefix, writeFileList } from './analysis/file-list';
export { IngestFilesStep } from './analysis/ingest-files.step';
export type { ListedSource } from './analysis/listed-source';
export { indexedContent, ObjectCrops } from './analysis/object-crops';
export { AnnotationFiles } from './annotation-files/annotation-files';
export {
  ANNOTATION_FILE_NAMES,
  isAnnotationFileName,
  type AnnotationFileName,
} from './annotation-files/domain/annotation-file';
export {
  MOST_BOXES_OF_A_PICTURE,
  normalizedPath,
  type AnnotationIndex,
} from './annotation-files/domain/annotation-index';
export { unusedAnnotationWarnings } from './annotation-files/domain/annotation-warnings';
export { BuildTableStep, type BuildPhase } from './build/build-table.step';
export { chooseModels, chosenModels } from './build/domain/chosen-models';
export { RewriteRowsStep } from './build/rewrite-rows.step';
export { assertModelsKnown, assertModelsThere, modelsChosen, modelsOf, type TableModels } from './build/table-models';
export { AddedBatches, type AddedBatch } from './change/added-batches';
export { AppendRowsStep } from './change/append-rows.step';
export { BatchModels, type BatchEnrichment, type EnrichedBatch } from './change/batch-models';
export { batchProgress } from './change/batch-progress';
export type { DatasetUpdate } from './change/dataset-update';
export { excludeKnown } from './change/exclude-known';
export { AddMediaDisabledError, NeverIndexedError } from './change/domain/update-errors';
export { updateParameters, type UpdateParameters } from './change/domain/update-parameters';
export {
  digestOf,
  Digests,
  NO_VERSION,
  REMOVED_FILE_BYTES,
  removedFilesOf,
  removedIn,
  type Digest,
} from './change/file-digests';
export { RebuildStep } from './change/rebuild.step';
export { RemoveRowsStep } from './change/remove-rows.step';
export { allButRelated, findReplaced, withDependents, type RowsToRemove } from './change/rows-to-remove';
export { ReplaceRowsStep } from './change/replace-rows.step';
export { UpdateOperation } from './change/update-operation';
export { tablesPersistence } from './persistence';
export { ChunkJournalRepository, type AnalyzedChunk, type KeptChunks } from './persistence/chunk-journal.repository';
export { MediaLock } from './persistence/media-lock';
export { QuarantineRepository, type QuarantinedFile } from './persistence/quarantine.repository';
export { isFile, readChunk, type ChunkRows } from './rows/chunk-rows';
export { inBatches } from './rows/in-batches';
export type { ComparedRow, RowSource } from './rows/row-source';
export { TableRows } from './rows/table-rows';
export type { IndexingRun } from './runs/indexing-run';
export type { ProgressReporter } from './runs/progress-reporter';
export { TaskRunner } from './runs/task-runner';
export { TablesModule } from './tables.module';
