import { z } from 'zod';
import { LEVELS } from '../../../common/engine/media-table/media-row';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { booleanText, lowerUuid, wholeNumber } from '../../../common/platform/http/query-values';
import { previewSchema } from '../../search';
import { SLICED_BY } from '../domain/slice';
import { FAILURES } from '../slices/failure-groups';

const MOST_SLICES = 100;
const MOST_OFFSET = 10_000;
const MOST_GROUPS = 50;
const DEFAULT_LEVEL = 2;

export const slicesQuery = z.object({
  by: z
    .enum(SLICED_BY, { error: `Input should be one of ${SLICED_BY.join(', ')}` })
    .optional()
    .describe('Only slices with a condition of this kind.'),
  all: booleanText
    .default(false)
    .describe(
      'Whether every condition follows, with its figure, although it is not worse beyond chance; default false.',
    ),
  limit: wholeNumber(1, MOST_SLICES).default(50).describe(`1 to ${MOST_SLICES}; default 50.`),
  offset: wholeNumber(0, MOST_OFFSET).default(0).describe('How many of the worst are left out; default 0.'),
});
export type SlicesQuery = z.output<typeof slicesQuery>;

export const comparisonQuery = z.object({
  with: lowerUuid.meta({ description: 'The other evaluation, B.', example: EXAMPLE.otherEvaluation }),
});
export type ComparisonQuery = z.output<typeof comparisonQuery>;

export const failuresQuery = z.object({
  outcome: z
    .enum(FAILURES, { error: `Input should be one of ${FAILURES.join(', ')}` })
    .optional()
    .describe('Only wrong predictions, or only annotations that were not found; both by default.'),
  threshold: wholeNumber(0, LEVELS.length - 1)
    .default(DEFAULT_LEVEL)
    .describe(`Clustering granularity, 0 (the finest) to ${LEVELS.length - 1}; default ${DEFAULT_LEVEL}.`),
  limit: wholeNumber(1, MOST_GROUPS).default(20).describe(`1 to ${MOST_GROUPS}; default 20.`),
});
export type FailuresQuery = z.output<typeof failuresQuery>;

const vql = z
  .array(z.record(z.string(), z.unknown()))
  .describe('The filters of a search for them, as they are now; see Explore.');

const fraction = z.number().min(0).max(1);

const slice = z.object({
  conditions: z.array(
    z.object({
      by: z.enum(SLICED_BY),
      value: z.string().describe('The label, the id, the value of a field, or both bounds of numbers.'),
      name: z.string().describe('For people.'),
    }),
  ),
  n_media: z.int(),
  n_truth: z.int().describe('Annotations of the truth.'),
  figure: fraction,
  rest: fraction.describe('The figure of everything else; in a comparison, that of A.'),
  difference: z.number(),
  interval: z.tuple([z.number(), z.number()]).describe('Of the difference, at 95 %.'),
  p: fraction.describe('The chance that the slice is as much worse as this without a reason.'),
  worse: z.boolean().describe('Whether it is worse beyond chance; of all such slices, 5 % are expected not to be.'),
  vql,
});

const sliceExample = {
  conditions: [
    { by: 'label', value: 'boat', name: 'boat' },
    { by: 'issue', value: 'dark', name: 'dark' },
  ],
  n_media: 84,
  n_truth: 131,
  figure: 0.41,
  rest: 0.78,
  difference: -0.37,
  interval: [-0.46, -0.28],
  p: 1e-9,
  worse: true,
  vql: [
    { evaluation: { op: 'is', evaluation: EXAMPLE.evaluation, value: ['tp', 'fn'], label: ['boat'] } },
    { issues: { op: 'issue', value: ['dark'] } },
  ],
} as const;

export const slicesResponse = z
  .object({
    figure: z.literal('f1').describe('At the confidence of the evaluation.'),
    value: fraction.nullable().describe('Of everything; null without objects.'),
    total: z.int(),
    slices: z.array(slice).describe('The worst first: by the end of their intervals that is nearer to no difference.'),
  })
  .meta({ id: 'EvaluationSlices', example: { figure: 'f1', value: 0.76, total: 1, slices: [sliceExample] } });

const foundByOne = z.object({
  count: z.int().describe('Annotations of the truth.'),
  n_media: z.int(),
  vql,
});

export const comparisonResponse = z
  .object({
    n_media: z.int().describe('Which both compared, and which are still there.'),
    figures: z.array(
      z.object({
        name: z.string(),
        a: z.number().nullable(),
        b: z.number().nullable(),
        difference: z.number().nullable().describe('B less A.'),
        interval: z
          .tuple([z.number(), z.number()])
          .nullable()
          .describe(
            'Of the difference, at 95 %. Precision, recall and F1 are of the pictures that both compared; the other figures are of the evaluations as a whole, ' +
              'and have an interval if both compared the same pictures, at least ten.',
          ),
      }),
    ),
    a_right_b_wrong: foundByOne,
    b_right_a_wrong: foundByOne,
    slices: z.array(slice).describe('Where B is worse than A beyond chance, the worst first.'),
  })
  .meta({
    id: 'EvaluationComparison',
    example: {
      n_media: 1200,
      figures: [{ name: 'f1', a: 0.76, b: 0.79, difference: 0.03, interval: [0.012, 0.047] }],
      a_right_b_wrong: { count: 45, n_media: 41, vql: [] },
      b_right_a_wrong: { count: 170, n_media: 133, vql: [] },
      slices: [],
    },
  });

export const failuresResponse = z
  .object({
    groups: z.array(
      z.object({
        cluster_id: z.uuid(),
        n_media: z.int().describe('With failures.'),
        n_failures: z.int(),
        n_compared: z.int().describe('Media of the cluster that were compared.'),
        previews: z.array(previewSchema).describe('Those with the most failures.'),
        vql,
      }),
    ),
  })
  .meta({ id: 'FailureGroups', example: { groups: [] } });
