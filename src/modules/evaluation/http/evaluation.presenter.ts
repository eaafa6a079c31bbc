import type { Figures } from '../../../common/engine/evaluation/evaluation-result';
import { z } from 'zod';
import { EVALUATION_TASKS, PROTOCOLS } from '../../../common/engine/evaluation/plan';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import { CHANGEABLE } from '../domain/evaluated-state';
import { COMPARED_PICTURES, EVALUATION_STATUSES, type AskedEvaluation } from '../domain/evaluation';
import type { EvaluationNow, WholeEvaluation } from '../evaluation.reader';
import type { StartedEvaluation } from '../start-evaluation.use-case';

/** Also of the request. */
export const KEPT = 'Whether it is run again by itself once its sources or the media have changed.';

const figures = z.record(z.string(), z.number().nullable());

const evaluationFields = {
  id: z.uuid(),
  name: z.string(),
  truth: z.string(),
  predictions: z.string(),
  task: z.enum(EVALUATION_TASKS),
  protocol: z.enum(PROTOCOLS),
  options: z.object({
    iou: z.number(),
    confidence: z.number().nullable().describe('As it was asked for; null for that with the best F1.'),
    class_confidences: z.record(z.string(), z.number()),
    max_detections: z.int(),
    class_agnostic: z.boolean(),
    sigmas: z.array(z.number()).nullable(),
    voc_points: z.enum(['all', '11']),
    hierarchy: z.array(z.array(z.string())),
    verified: z.boolean(),
    k: z.array(z.int()),
    labels: z.enum(['single', 'multi']).nullable(),
    pictures: z.enum(COMPARED_PICTURES),
  }),
  filter: z.record(z.string(), z.unknown()).nullable().describe('As it was sent; null for all pictures.'),
  keep_up_to_date: z.boolean().describe(KEPT),
  status: z
    .enum(EVALUATION_STATUSES)
    .describe('Of the last run. The figures of the run before stay until it is completed.'),
  error: z.string().nullable().describe('Why the last run failed.'),
  task_id: z.uuid().nullable().describe('Of the last run; null in a copy of a dataset.'),
  progress: z.number().nullable().describe('In percent, while it runs.'),
  created_by: z.string(),
  created_at: z.string(),
  completed_at: z.string().nullable().describe('Null, as all figures, until it was completed once.'),
  n_pictures: z.int().nullable(),
  n_truth: z.int().nullable().describe('Annotations of the truth that count.'),
  n_predictions: z.int().nullable(),
  confidence: z.number().nullable().describe('Where figures begin: predictions below it do not count.'),
  up_to_date: z.boolean().nullable().describe('Whether all that was compared is as it was.'),
  changed: z.array(z.enum(CHANGEABLE)).describe('What has changed since.'),
  metrics: figures
    .nullable()
    .describe(
      'By name: `AP`, `AP50`, `precision` and so on; -1 where the tools of COCO have it, null where undefined.',
    ),
  previous_metrics: figures.nullable().describe('Of the run before.'),
  error_costs: figures
    .nullable()
    .describe('What each kind of mistake costs in the mean of average precisions, as TIDE measures it.'),
};

const evaluationExample = {
  id: EXAMPLE.evaluation,
  name: 'detector-a, week 48',
  truth: 'ground_truth',
  predictions: 'detector-a',
  task: 'detection',
  protocol: 'coco',
  options: {
    iou: 0.5,
    confidence: null,
    class_confidences: {},
    max_detections: 100,
    class_agnostic: false,
    sigmas: null,
    voc_points: 'all',
    hierarchy: [],
    verified: false,
    k: [1, 5],
    labels: null,
    pictures: 'with_truth',
  },
  filter: null,
  keep_up_to_date: true,
  status: 'COMPLETED',
  error: null,
  task_id: EXAMPLE.task,
  progress: null,
  created_by: 'ana@example.com',
  created_at: '2026-11-24T09:30:00.000000',
  completed_at: '2026-11-24T09:30:04.500000',
  n_pictures: 1200,
  n_truth: 4120,
  n_predictions: 9310,
  confidence: 0.42,
  up_to_date: true,
  changed: [],
  metrics: { AP: 0.512, AP50: 0.731, precision: 0.82, recall: 0.71, f1: 0.761 },
  previous_metrics: { AP: 0.498, AP50: 0.72, precision: 0.81, recall: 0.7, f1: 0.751 },
  error_costs: {
    wrong_class: 0.021,
    poor_box: 0.06,
    wrong_class_and_box: 0.004,
    double: 0.002,
    background: 0.03,
    missed: 0.09,
  },
} as const;

const listedEvaluation = z.object(evaluationFields).meta({ id: 'ListedEvaluation', example: evaluationExample });

export const evaluationsResponse = z
  .object({ total: z.int(), evaluations: z.array(listedEvaluation) })
  .meta({ id: 'EvaluationPage', example: { total: 1 } });

const classFigures = z
  .object({ label: z.string(), n_truth: z.int(), n_predictions: z.int() })
  .catchall(z.number().nullable())
  .describe('Its figures by name: `AP`, `AP50`, `precision`, `best_confidence` and so on.');

export const evaluationResponse = z
  .object({
    ...evaluationFields,
    per_class: z.array(classFigures).describe('In the order of the labels.'),
    intervals: z
      .record(z.string(), z.tuple([z.number(), z.number()]))
      .describe(
        'How far main figures may be from those of a much larger set of such pictures, at 95 %. Empty of fewer than ten pictures, and of evaluations ' +
          'that ran before intervals were kept.',
      ),
  })
  .meta({
    id: 'Evaluation',
    example: {
      ...evaluationExample,
      per_class: [{ label: 'boat', n_truth: 310, n_predictions: 702, AP: 0.561, AP50: 0.774, precision: 0.85 }],
      intervals: { AP: [0.49, 0.53], AP50: [0.708, 0.752], f1: [0.745, 0.777] },
    },
  });

export const startedResponse = z
  .object({ evaluation_id: z.uuid(), task_id: z.uuid() })
  .meta({ id: 'StartedEvaluation', example: { evaluation_id: EXAMPLE.evaluation, task_id: EXAMPLE.task } });

export const presentStarted = ({ evaluationId, taskId }: StartedEvaluation): z.infer<typeof startedResponse> => ({
  evaluation_id: evaluationId,
  task_id: taskId,
});

const presentOptions = ({ options, pictures }: AskedEvaluation): z.infer<typeof listedEvaluation>['options'] => ({
  iou: options.iou,
  confidence: options.confidence ?? null,
  class_confidences: { ...options.classConfidences },
  max_detections: options.maxDetections,
  class_agnostic: options.classAgnostic,
  sigmas: options.sigmas === undefined ? null : [...options.sigmas],
  voc_points: options.vocPoints,
  hierarchy: (options.hierarchy ?? []).map((pair) => [...pair]),
  verified: options.verified ?? false,
  k: [...options.k],
  labels: options.labels ?? null,
  pictures,
});

const presentFigures = (given: Figures | null | undefined): Record<string, number | null> | null =>
  given ? { ...given } : null;

export const presentListed = (now: EvaluationNow): z.infer<typeof listedEvaluation> => {
  const { evaluation, status, error, progress, changed } = now;
  const { result } = evaluation;
  return {
    id: evaluation.id,
    name: evaluation.name,
    truth: evaluation.truth,
    predictions: evaluation.predictions,
    task: evaluation.task,
    protocol: evaluation.protocol,
    options: presentOptions(evaluation),
    filter: evaluation.filter && { ...evaluation.filter },
    keep_up_to_date: evaluation.keepUpToDate,
    status,
    error,
    task_id: evaluation.taskId,
    progress,
    created_by: evaluation.createdBy,
    created_at: formatTimestamp(evaluation.createdAt),
    completed_at: formatTimestampOrNull(result?.completedAt ?? null),
    n_pictures: result?.pictures ?? null,
    n_truth: result?.truth ?? null,
    n_predictions: result?.predictions ?? null,
    confidence: result?.confidence ?? null,
    up_to_date: changed === undefined ? null : changed.length === 0,
    changed: [...(changed ?? [])],
    metrics: presentFigures(result?.metrics),
    previous_metrics: presentFigures(evaluation.previousMetrics),
    error_costs: presentFigures(result?.errorCosts),
  };
};

export const presentEvaluation = ({
  perClass,
  intervals,
  ...now
}: WholeEvaluation): z.infer<typeof evaluationResponse> => ({
  ...presentListed(now),
  per_class: perClass.map(({ label, truth, predictions, figures: own }) =>
    Object.assign({ label, n_truth: truth, n_predictions: predictions }, own),
  ),
  intervals: Object.fromEntries(Object.entries(intervals).map(([name, [low, high]]) => [name, [low, high]])),
});
