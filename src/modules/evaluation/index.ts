export { EvaluationModule } from './evaluation.module';
