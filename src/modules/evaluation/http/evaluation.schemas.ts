import { z } from 'zod';
import { EvaluationError } from '../../../common/engine/evaluation/evaluation-error';
import { EVALUATION_TASKS, planOf, PROTOCOLS, type EvaluationPlan } from '../../../common/engine/evaluation/plan';
import { rulesOf } from '../../../common/engine/evaluation/rules-of';
import { describedAs } from '../../../common/platform/http/description/described-as';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { datasetPath, givenName, jsonOf, lowerUuid, wholeNumber } from '../../../common/platform/http/query-values';
import { MAX_EVALUATIONS } from '../domain/evaluation';
import { SOURCE_MODES, sourceFileFields } from '../../annotations';
import { searchParameters } from '../../search';
import { GROUND_TRUTH } from '../../versions';
import { COMPARED_PICTURES, type AskedEvaluation } from '../domain/evaluation';
import { KEPT } from './evaluation.presenter';

/** Some filters, the hierarchy of Open Images, and confidences of a thousand labels. A page of the list has a hundred times as much. */
export const MAX_EVALUATION_BYTES = 256 * 1024;
const MAX_SOURCE = 100;
const MAX_LABEL = 256;
const MAX_LABELS = 10_000;
const MAX_POINTS = 1_000;
const MAX_K = 1_000;
const MAX_DETECTIONS = 10_000;
const MAX_PER_PAGE = 100;

const source = z.string().min(1).max(MAX_SOURCE);
const label = z.string().min(1).max(MAX_LABEL);
const fraction = z.number().min(0).max(1);

const options = z.strictObject({
  iou: z
    .number()
    .min(0.01)
    .max(1)
    .optional()
    .describe(
      'How much of an annotation a prediction must cover to have found it, for outcomes and for figures at one overlap; default 0.5. COCO’s average precisions are at their own ten.',
    ),
  confidence: fraction
    .optional()
    .describe('Predictions below it do not count; that with the best F1 over all labels by default.'),
  class_confidences: z
    .record(label, fraction)
    .refine((values) => Object.keys(values).length <= MAX_LABELS, {
      error: `Input should have at most ${MAX_LABELS} labels`,
    })
    .optional()
    .describe('The same by label.'),
  max_detections: z
    .int()
    .min(1)
    .max(MAX_DETECTIONS)
    .optional()
    .describe('Of a label in a picture, those with the highest confidence; default 100, and 20 of keypoints.'),
  class_agnostic: z.boolean().optional().describe('Whether labels need not match; default false.'),
  sigmas: z
    .array(z.number().min(0.0001).max(10))
    .min(1)
    .max(MAX_POINTS)
    .optional()
    .describe(
      'Of keypoints, by point. COCO’s by default if there are 17 points, otherwise one by the number of points.',
    ),
  voc_points: z
    .enum(['all', '11'])
    .optional()
    .describe('The points of the precision-recall curve of `voc`; default all.'),
  hierarchy: z
    .array(z.tuple([label, label]))
    .max(MAX_LABELS)
    .optional()
    .describe('Of labels of `open_images`: pairs of a label and its parent.'),
  verified: z
    .boolean()
    .optional()
    .describe(
      'Of `open_images`: whether a prediction counts only if the truth says something about its label in its picture, by a shape or a label of the picture, of which one with confidence 0 says that it is not there; default false.',
    ),
  k: z.array(z.int().min(1).max(MAX_K)).min(1).max(10).optional().describe('Of top-k accuracy; default 1 and 5.'),
  labels: z
    .enum(['single', 'multi'])
    .optional()
    .describe('How many labels of whole pictures are true; told by the truth if absent.'),
  pictures: z
    .enum(COMPARED_PICTURES)
    .default('all')
    .describe('`with_truth`: only pictures about which the truth says something; default all.'),
});

/** The tasks or the protocol that an option belongs to; the others belong to all. */
const OPTIONS_OF = {
  ...{ iou: ['detection', 'segmentation', 'keypoints'], sigmas: ['keypoints'] },
  ...{ k: ['classification'], labels: ['classification'] },
  ...{ max_detections: ['coco'], voc_points: ['voc'], hierarchy: ['open_images'], verified: ['open_images'] },
};

const filter = describedAs(searchParameters).transform((value, context): object => {
  const read = searchParameters.safeParse(value);
  for (const issue of read.error?.issues ?? [])
    context.addIssue({ ...issue, code: 'custom', path: [...issue.path], params: paramsOf(issue) });
  if (read.success && read.data.entityType !== 'IMAGES')
    context.addIssue({ code: 'custom', path: ['entity_type'], message: 'Input should be IMAGES' });
  return value as object;
});

/** An issue of another schema is reported with its own type. */
const paramsOf = (issue: z.core.$ZodIssue): Record<string, unknown> =>
  issue.code === 'custom' ? { ...issue.params } : { type: issue.code };

export const newEvaluationFields = {
  name: givenName,
  truth: source.default(GROUND_TRUTH).describe(`The source that is right; default ${GROUND_TRUTH}.`),
  predictions: source.describe('The source that is measured.'),
  task: z.enum(EVALUATION_TASKS, { error: `Input should be one of ${EVALUATION_TASKS.join(', ')}` }),
  protocol: z
    .enum(PROTOCOLS, { error: `Input should be one of ${PROTOCOLS.join(', ')}` })
    .default('coco')
    .describe('By whose rules; default coco. The others are of detection and segmentation.'),
  options: options.prefault({}),
  filter: filter.optional().describe('The images and frames that a search finds; all by default.'),
  keep_up_to_date: z.boolean().default(false).describe(`${KEPT} By default it is not.`),
};

type NewEvaluation = z.output<z.ZodObject<typeof newEvaluationFields>>;

export function toAskedEvaluation(
  {
    name,
    truth,
    predictions,
    task,
    protocol,
    options: given,
    filter: wanted,
    keep_up_to_date: keepUpToDate,
  }: NewEvaluation,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): AskedEvaluation {
  if (truth === predictions)
    context.addIssue({
      code: 'custom',
      path: ['predictions'],
      message: 'Input should be another source than the truth',
    });
  const asked: readonly string[] = task === 'classification' ? [task] : [task, protocol];
  for (const [option, owners] of Object.entries(OPTIONS_OF))
    if (given[option as keyof typeof OPTIONS_OF] !== undefined && !owners.some((owner) => asked.includes(owner)))
      context.addIssue({
        code: 'custom',
        path: ['options', option],
        message: `Input should be left out: it is an option of ${owners.join(', ')} only`,
      });
  const isOfShapes = task === 'detection' || task === 'segmentation';
  if (protocol !== 'coco' && !isOfShapes)
    context.addIssue({
      code: 'custom',
      path: ['protocol'],
      message: `Input should be coco: ${protocol} has rules of boxes and masks only`,
    });
  const {
    pictures,
    class_confidences: classConfidences,
    max_detections: maxDetections,
    class_agnostic: classAgnostic,
    voc_points: vocPoints,
    ...same
  } = given;
  const renamed = { classConfidences, maxDetections, classAgnostic, vocPoints };
  const chosen = Object.fromEntries(Object.entries({ ...same, ...renamed }).filter(([, value]) => value !== undefined));
  const plan = planOf(task, protocol, chosen);
  if (protocol === 'coco' || isOfShapes) reportMisfit(plan, context);
  return { name, truth, predictions, ...plan, pictures, filter: wanted ?? null, keepUpToDate };
}

function reportMisfit(plan: EvaluationPlan, context: Pick<z.RefinementCtx, 'addIssue'>): void {
  try {
    rulesOf(plan);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    context.addIssue({ code: 'custom', path: ['options'], message: error.message });
  }
}

export const newEvaluationBody = z
  .strictObject(newEvaluationFields)
  .transform(toAskedEvaluation)
  .meta({
    example: {
      name: 'detector-a, week 48',
      truth: GROUND_TRUTH,
      predictions: 'detector-a',
      task: 'detection',
      options: { pictures: 'with_truth' },
    },
  });

const importedFields = z.strictObject(newEvaluationFields).omit({ predictions: true });

/** Of what is imported into a source in the same request. */
export const importedEvaluation = (predictions: string) =>
  z.object({
    evaluation: z
      .string()
      .transform((text, context) => {
        const value = jsonOf(text);
        if (value === undefined) context.addIssue({ code: 'custom', message: 'Input should be JSON' });
        return value;
      })
      .pipe(importedFields.transform((values, context) => toAskedEvaluation({ ...values, predictions }, context))),
  });

export const importedEvaluationDescription = {
  type: 'object',
  required: ['source', 'evaluation', 'files'],
  properties: {
    ...sourceFileFields,
    mode: {
      type: 'string',
      enum: [...SOURCE_MODES],
      default: 'add',
      description: 'What the annotations do to those of the source: `replace` replaces all of them.',
    },
    evaluation: {
      type: 'string',
      description: 'As JSON: the fields of an evaluation without `predictions`, which is the source.',
    },
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: 'The files of a format, or archives with them.',
    },
  },
};

export const evaluationChangeBody = z
  .strictObject({ name: givenName.optional(), keep_up_to_date: z.boolean().optional().describe(KEPT) })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'Input should have a name or keep_up_to_date',
  })
  .meta({ example: { name: 'detector-a, before the new cameras', keep_up_to_date: true } });
export type EvaluationChangeBody = z.output<typeof evaluationChangeBody>;

export const evaluationPath = datasetPath.extend({
  evaluation_id: lowerUuid.meta({ description: 'The evaluation.', example: EXAMPLE.evaluation }),
});
export type EvaluationPath = z.output<typeof evaluationPath>;

export const evaluationsQuery = z.object({
  truth: source.optional().describe('Only with this source as the truth.'),
  predictions: source.optional().describe('Only of this source.'),
  limit: wholeNumber(1, MAX_PER_PAGE).default(50).describe(`Per page, 1 to ${MAX_PER_PAGE}; default 50.`),
  offset: wholeNumber(0, MAX_EVALUATIONS).default(0).describe('How many of the newest are left out; default 0.'),
});
export type EvaluationsQuery = z.output<typeof evaluationsQuery>;
