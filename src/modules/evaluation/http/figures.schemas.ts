import { z } from 'zod';
import { MISTAKES, OUTCOMES } from '../../../common/engine/evaluation/counted-outcomes';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { fraction, lowerUuid, rejectRepeated } from '../../../common/platform/http/query-values';
import { searchParameterFields } from '../../search';
import { MOST_LABELS } from '../evaluation-figures.reader';
import { evaluationPath } from './evaluation.schemas';

const MAX_LABEL = 1_000;

const confidence = fraction
  .optional()
  .describe('Predictions below it do not count; the confidences of the evaluation by default.');
const label = z.string().min(1).max(MAX_LABEL).optional();

const query = <T extends z.ZodRawShape>(fields: T) => z.preprocess(rejectRepeated, z.object(fields));

export const countsQuery = query({ confidence, label: label.describe('Only of this label.') });

export const confusionQuery = query({
  confidence,
  labels: searchParameterFields.labels
    .refine((labels = []) => labels.length <= MOST_LABELS, {
      error: `Input should have at most ${MOST_LABELS} labels`,
    })
    .meta({
      type: 'string',
      description: `Between these labels, \`[dog,cat]\` or \`["dog","cat"]\`; by default the ${MOST_LABELS} with the most annotations and predictions.`,
    }),
});

export const curvesQuery = query({
  label: label.describe('Only of this label.'),
  precision: fraction.optional().describe('Also looks for the confidence with this precision.'),
});

export const pictureQuery = query({ confidence });

export const picturePath = evaluationPath.extend({
  media_id: lowerUuid.meta({ description: 'An image or a frame.', example: EXAMPLE.media }),
});

const ratesFields = {
  precision: z.number().nullable().describe('Null without predictions.'),
  recall: z.number().nullable().describe('Null without annotations of the truth.'),
  f1: z.number().nullable(),
};

const countsFields = {
  tp: z.int().describe('Annotations that were found.'),
  fp: z.int().describe('Predictions that are wrong.'),
  fn: z.int().describe('Annotations that were not found.'),
  ...ratesFields,
};

const rates = { precision: 0.875, recall: 0.7, f1: 0.7777777777777778 };
const counts = { tp: 7, fp: 1, fn: 3, ...rates };

export const countsResponse = z
  .object({
    confidence: z.number(),
    ...countsFields,
    kinds: z
      .object(
        Object.fromEntries(MISTAKES.map((mistake) => [mistake, z.int()])) as Record<
          (typeof MISTAKES)[number],
          z.ZodInt
        >,
      )
      .describe('Of wrong predictions; `missed` are annotations without a prediction of another label over them.'),
    per_class: z.array(z.object({ label: z.string(), ...countsFields })),
  })
  .meta({
    id: 'EvaluationCounts',
    example: {
      confidence: 0.4,
      ...counts,
      kinds: { wrong_class: 1, poor_box: 0, wrong_class_and_box: 0, double: 0, background: 0, missed: 2 },
      per_class: [{ label: 'boat', ...counts }],
    },
  });

export const confusionResponse = z
  .object({
    confidence: z.number(),
    labels: z.array(z.string()).describe('In the order of the matrix.'),
    cells: z
      .array(
        z.object({
          truth: z.string().nullable().describe('Null for the background: predictions of nothing.'),
          predicted: z.string().nullable().describe('Null for the background: annotations that were missed.'),
          count: z.int(),
          n_media: z.int().describe('Media that the dataset has now.'),
          vql: z.array(z.record(z.string(), z.unknown())).describe('The filters that find them.'),
        }),
      )
      .describe('Those that are not empty. Each prediction that counts is in one.'),
    n_left_out: z.int().describe('Annotations and predictions of other labels.'),
  })
  .meta({
    id: 'EvaluationConfusion',
    example: {
      confidence: 0.4,
      labels: ['boat'],
      cells: [
        {
          truth: 'boat',
          predicted: null,
          count: 2,
          n_media: 1,
          vql: [
            {
              evaluation: { op: 'is', value: ['fn'], evaluation: EXAMPLE.evaluation, label: 'boat', kind: ['missed'] },
            },
          ],
        },
      ],
      n_left_out: 0,
    },
  });

const cutRates = z.object({ confidence: z.number(), ...ratesFields });
const example = { confidence: 0.4, ...rates };

export const curvesResponse = z
  .object({
    precision_recall: z.array(cutRates).describe('At most 200 points, by falling confidence.'),
    f1: z.array(cutRates).describe('At the confidences 0, 0.01 and so on to 1.'),
    reliability: z
      .array(
        z.object({
          from: z.number(),
          to: z.number().describe('Excluded, but for the last.'),
          n: z.int(),
          confidence: z.number().nullable().describe('The mean; null without predictions.'),
          accuracy: z.number().nullable().describe('The share that is right.'),
        }),
      )
      .describe('Predictions by tenths of confidence.'),
    best: cutRates.nullable().describe('With the best F1; null if nothing is found.'),
    for_precision: cutRates
      .nullable()
      .optional()
      .describe('With the precision that was asked for, that which finds most; null if none has it.'),
  })
  .meta({
    id: 'EvaluationCurves',
    example: {
      precision_recall: [example],
      f1: [example],
      reliability: [{ from: 0.4, to: 0.5, n: 8, confidence: 0.45, accuracy: 0.875 }],
      best: example,
    },
  });

const outcome = z.object({
  annotation_id: z.string(),
  outcome: z.enum([...OUTCOMES, 'ignored']),
  kind: z.enum(MISTAKES).nullable().describe('Of a mistake.'),
  iou: z.number().nullable().describe('How well the prediction covers the annotation.'),
  partner_id: z.string().nullable().describe('The annotation of the other source; null if it has changed since.'),
});

export const pictureResponse = z
  .object({
    truth: z.array(outcome),
    predictions: z.array(outcome).describe('Without those below the confidence.'),
  })
  .meta({
    id: 'EvaluatedPicture',
    description: 'Annotations that have changed since are left out.',
    example: {
      truth: [{ annotation_id: 'a-1', outcome: 'tp', kind: null, iou: 0.82, partner_id: 'p-7' }],
      predictions: [{ annotation_id: 'p-7', outcome: 'tp', kind: null, iou: 0.82, partner_id: 'a-1' }],
    },
  });
