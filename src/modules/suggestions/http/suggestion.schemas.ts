import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { datasetPath, fraction, lowerUuid, wholeNumber } from '../../../common/platform/http/query-values';
import { previewExample, previewSchema } from '../../search';
import { MOST_DECIDED } from '../decide-labels.use-case';

const MAX_LABEL = 256;
const MOST_PAIRS = 500;
const MOST_PER_PAGE = 200;
const MOST_PAGES = 1_000;
/** As the filter by the issue. */
const USUAL = 0.5;

/** Thousands of decisions, with their labels. */
export const MAX_DECISION_BYTES = 8 * 1024 * 1024;
export { MOST_PAIRS };

/** Below, nearly every label is doubtful. */
const LEAST = 0.05;
const CONFIDENCE = `The least confidence that a label is wrong, ${LEAST} to 1; default ${USUAL}.`;
const ENTITY = 'IMAGES (default, with frames) or OBJECTS.';
const entityType = z
  .enum(['IMAGES', 'OBJECTS'], { error: 'Input should be one of IMAGES, OBJECTS' })
  .default('IMAGES')
  .describe(ENTITY);
const labelText = z.string().min(1).max(MAX_LABEL);

const leastText = fraction
  .pipe(z.number().min(LEAST, { error: `Input should be at least ${LEAST}` }))
  .default(USUAL)
  .meta({ pattern: undefined, type: 'number', minimum: LEAST, maximum: 1, description: CONFIDENCE });

export const pairsQuery = z.object({ entity_type: entityType, confidence: leastText });
export type PairsQuery = z.output<typeof pairsQuery>;

export const mediaQuery = pairsQuery.extend({
  label: labelText.optional().describe('Only media with this label.'),
  suggested: labelText.optional().describe('Only media for which this label is suggested.'),
  page_number: wholeNumber(0, MOST_PAGES).default(0).describe('From 0.'),
  limit: wholeNumber(1, MOST_PER_PAGE).default(100).describe(`Per page, 1 to ${MOST_PER_PAGE}; default 100.`),
});
export type MediaQuery = z.output<typeof mediaQuery>;

export const pairsResult = z
  .object({
    total: z.int().describe('Media with a suggestion.'),
    total_pairs: z.int(),
    several_labels: z
      .int()
      .describe('Further media with doubtful labels: they have several, of which it is not known which one is wrong.'),
    pairs: z
      .array(z.object({ label: z.string(), suggested: z.string(), count: z.int(), highest_confidence: z.number() }))
      .describe(`The most frequent first, up to ${MOST_PAIRS}.`),
  })
  .meta({
    id: 'LabelSuggestionPairs',
    example: {
      total: 31,
      total_pairs: 2,
      several_labels: 0,
      pairs: [
        { label: 'cat', suggested: 'dog', count: 23, highest_confidence: 0.98 },
        { label: 'dog', suggested: 'wolf', count: 8, highest_confidence: 0.81 },
      ],
    },
  });

const suggestion = previewSchema.extend({ label_now: z.string(), suggested: z.string(), confidence: z.number() }).meta({
  id: 'LabelSuggestion',
  example: { ...previewExample, label_now: 'cat', suggested: 'dog', confidence: 0.98 },
});

export const mediaResult = z
  .object({ total: z.int(), total_pages: z.int(), current_page: z.int(), media: z.array(suggestion) })
  .meta({
    id: 'LabelSuggestionPage',
    example: {
      total: 1,
      total_pages: 1,
      current_page: 0,
      media: [{ ...previewExample, label_now: 'cat', suggested: 'dog', confidence: 0.98 }],
    },
  });

const seen = z
  .strictObject({
    media_id: lowerUuid,
    label: labelText.describe('The label that it has now.'),
    suggested: labelText.describe('The label that is suggested.'),
  })
  .meta({ id: 'SeenLabelSuggestion' });

const EXAMPLE_SEEN = { media_id: EXAMPLE.media, label: 'cat', suggested: 'dog' };

export const decisionsBody = z
  .strictObject({
    take_over: z.array(seen).default([]).describe('These get the suggested label.'),
    keep: z.array(seen).default([]).describe('The labels of these are right; they are not suggested again.'),
  })
  .superRefine(({ take_over: takeOver, keep }, context) => {
    const all = [...takeOver, ...keep];
    const issue = (message: string) => context.addIssue({ code: 'custom', path: ['take_over'], message });
    if (all.length === 0) issue('Input should have a decision');
    else if (all.length > MOST_DECIDED) issue(`Input should have at most ${MOST_DECIDED} decisions`);
    else if (new Set(all.map(({ media_id: id }) => id)).size < all.length) issue('Input should have each medium once');
  })
  .meta({ example: { take_over: [EXAMPLE_SEEN], keep: [] } });
export type DecisionsBody = z.output<typeof decisionsBody>;

export const aboveBody = z
  .strictObject({
    entity_type: entityType,
    confidence: z.number().min(LEAST).max(1).describe('Suggestions with at least this confidence are taken over.'),
    label: labelText.optional().describe('Only of media with this label.'),
    suggested: labelText.optional().describe('Only suggestions of this label.'),
  })
  .meta({ example: { confidence: 0.9, label: 'cat', suggested: 'dog' } });
export type AboveBody = z.output<typeof aboveBody>;

const decided = z.object({
  decision_id: z.uuid().nullable().describe('To undo it; null if nothing was decided.'),
  n_taken_over: z.int(),
  n_kept: z.int(),
  unmatched: z.array(z.uuid()).describe('Media that the dataset does not have, or that have other labels now.'),
});

const DECIDED = { decision_id: EXAMPLE.decision, n_taken_over: 1, n_kept: 0, unmatched: [] };

export const decisionsResult = decided.meta({ id: 'DecidedLabels', example: DECIDED });

export const aboveResult = decided
  .extend({ has_more: z.boolean().describe(`Whether there are more than ${MOST_DECIDED}: repeat the request.`) })
  .meta({ id: 'TakenOverLabels', example: { ...DECIDED, has_more: false } });

export const undoBody = z.strictObject({ decision_id: lowerUuid }).meta({ example: { decision_id: EXAMPLE.decision } });
export type UndoBody = z.output<typeof undoBody>;

export const undoneResult = z
  .object({ count: z.int().describe('Media that are undecided again.') })
  .meta({ id: 'UndoneLabelDecision', example: { count: 1 } });

export { datasetPath };
export type DatasetPath = z.output<typeof datasetPath>;
