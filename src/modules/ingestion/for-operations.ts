// A second entry point, for operations of other modules that write media tables.
export { BuildTableStep, type BuildPhase, type KeptImages } from './indexing/build-table.step';
export { CompareRowsStep } from './indexing/compare-rows.step';
export { withCaptionEmbeddings } from './indexing/caption-embeddings';
export { AnnotationFiles } from './annotations/annotation-files';
export {
  ANNOTATION_FILE_NAMES,
  isAnnotationFileName,
  type AnnotationFileName,
} from './annotations/domain/annotation-file';
export type { FileField } from './annotations/domain/file-fields';
export { normalizedPath, type AnnotationIndex } from './annotations/domain/annotation-index';
export { unusedAnnotationWarnings } from './annotations/domain/annotation-warnings';
export { folderLabels } from './sources/domain/folder-labels';
export { attemptName, workPrefix } from './indexing/file-list';
export { inPixels, isMarked, type MarkedObject } from './indexing/domain/same-object';
export { inBatches } from './indexing/in-batches';
export { indexedContent, ObjectCrops, type CroppedPicture } from './indexing/object-crops';
export type { IndexingRun } from './indexing/indexing-run';
export { ProgressReporter } from './indexing/progress-reporter';
export { RemoveRowsStep } from './indexing/remove-rows.step';
export { allButRelated, withDependents, type RowsToRemove } from './indexing/rows-to-remove';
export { RewriteRowsStep } from './indexing/rewrite-rows.step';
export { RegisterGenerationStep } from './indexing/register-generation.step';
export type { ComparedRow, RowSource } from './indexing/row-source';
export { assertModelsKnown, assertModelsThere, modelsOf, type TableModels } from './indexing/table-models';
export { TableRows } from './indexing/table-rows';
export { removedFilesOf } from './sync/file-digests';
export { TaskRunner } from './indexing/task-runner';
export { ChunkJournalRepository, type AnalyzedChunk } from './persistence/chunk-journal.repository';
export { BatchModels, type BatchEnrichment, type EnrichedBatch } from './update/batch-models';
export { QuarantineRepository, type QuarantinedFile } from './persistence/quarantine.repository';
