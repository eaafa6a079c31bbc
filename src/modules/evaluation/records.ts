// A second entry point, which versions and search may import: evaluations without what is built on versions.
export { EvaluationNotFoundError, type Evaluation } from './domain/evaluation';
export { EvaluationRecordsModule } from './evaluation-records.module';
export { EvaluationRepository } from './persistence/evaluation.repository';
export { evaluationPersistence } from './persistence/schema';
