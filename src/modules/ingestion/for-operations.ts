// A second entry point, for operations of other modules that write media tables.
export { withCaptionEmbeddings } from './indexing/caption-embeddings';
export { attemptName, workPrefix } from './indexing/file-list';
export { ProgressReporter } from './indexing/progress-reporter';
export { RegisterGenerationStep } from './indexing/register-generation.step';
export { TaskRunner } from './indexing/task-runner';
export { QuarantineRepository, type QuarantinedFile } from './persistence/quarantine.repository';
