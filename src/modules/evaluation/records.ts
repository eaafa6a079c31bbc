// A second entry point: evaluations without what is built on versions.
export { EvaluationNotFoundError, type Evaluation } from './domain/evaluation';
export { EvaluationChanges, type ChangedEvaluation } from './evaluation-changes';
export { EvaluationRecordsModule } from './evaluation-records.module';
export { EvaluationRepository } from './persistence/evaluation.repository';
export { evaluationPersistence } from './persistence/schema';
