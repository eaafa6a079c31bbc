import type { components, operations, VqlFilter } from 'dataset-media-service-sdk';

export type Evaluation = components['schemas']['Evaluation'];
/** Without the figures of each label. */
export type ListedEvaluation = components['schemas']['ListedEvaluation'];
export type EvaluationPage = components['schemas']['EvaluationPage'];
export type NewEvaluation = operations['evaluationCreate']['requestBody']['content']['application/json'];
export type EvaluationTask = Evaluation['task'];
export type Protocol = Evaluation['protocol'];

type Asked = NonNullable<VqlFilter['evaluation']>;
export type Outcome = Extract<Asked['value'], string>;
/** Also of what does not count. */
export type PictureOutcome = Outcome | 'ignored';
export type Kind = Extract<NonNullable<Asked['kind']>, string>;
