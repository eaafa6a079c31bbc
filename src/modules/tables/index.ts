export { folderLabels } from './analysis/domain/source-file';
export { classifyFileName, extensionOf } from './formats';
export { inPixels, isMarked, overlapOf, type MarkedObject } from './analysis/domain/same-object';
export type { SourceFile } from './analysis/domain/source-file';
export { attemptName, PART_WEIGHT, WORK_PREFIX, workPrefix, writeFileList } from './analysis/file-list';
export { IngestFilesStep } from './analysis/ingest-files.step';
export type { ListedSource } from './analysis/file-list';
export { MatchedObjects, storeMatched, type MatchedInPicture } from './analysis/matched-objects';
export { indexedContent, ObjectCrops, PICTURE_FIELDS, type PictureRow } from './analysis/object-crops';
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
export { unusedAnnotationWarnings } from './annotation-files/domain/annotation-file';
export { BuildTableStep } from './build/build-table.step';
export { chooseModels, chosenModels } from './build/table-models';
export { RewriteRowsStep } from './build/rewrite-rows.step';
export { assertModelsKnown, assertModelsThere, modelsChosen, modelsOf, type TableModels } from './build/table-models';
export { AddedBatches, type AddedBatch } from './change/update-operation';
export { AppendRowsStep } from './change/append-rows.step';
export { BatchModels, type BatchEnrichment, type EnrichedBatch } from './change/update-operation';
export { batchProgress, type BuildPhase } from './runs/task-runner';
export type { DatasetUpdate } from './change/update-operation';
export { excludeKnown } from './change/exclude-known';
export { AddMediaDisabledError, NeverIndexedError } from './change/domain/update-parameters';
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
export { allButRelated, findReplaced, withDependents, type RowsToRemove } from './change/remove-rows.step';
export { ReplaceRowsStep } from './change/replace-rows.step';
export { UpdateOperation } from './change/update-operation';
export { tablesPersistence } from './persistence/schema';
export { ChunkJournalRepository, type AnalyzedChunk, type KeptChunks } from './persistence/chunk-journal.repository';
export { MediaLock } from './persistence/media-lock';
export { QuarantineRepository, type QuarantinedFile } from './persistence/quarantine.repository';
export { isFile, readChunk, type ChunkRows } from './rows/chunk-rows';
export { inBatches } from './rows/row-source';
export type { ComparedRow, RowSource } from './rows/row-source';
export { TableRows } from './rows/row-source';
export type { IndexingRun } from './runs/task-runner';
export type { ProgressReporter } from './runs/task-runner';
export { TaskRunner } from './runs/task-runner';
export { TablesModule } from './tables.module';
