import type { components, operations } from 'dataset-media-service-sdk';

export type Evaluation = components['schemas']['Evaluation'];
/** Without the figures of each label. */
export type ListedEvaluation = components['schemas']['ListedEvaluation'];
export type EvaluationPage = components['schemas']['EvaluationPage'];
export type NewEvaluation = operations['evaluationCreate']['requestBody']['content']['application/json'];
export type EvaluationTask = Evaluation['task'];
export type Protocol = Evaluation['protocol'];
