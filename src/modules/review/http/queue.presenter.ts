import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import type { Answer } from '../domain/question';
import { QUESTION_TYPES } from '../domain/question';
import {
  CONSENSUS,
  isLeft,
  ITEM_STATES,
  VERDICTS,
  type Decision,
  type ReviewItem,
  type ReviewQueue,
} from '../domain/review-queue';
import type { QueueProgress } from '../queue.reader';

const queueFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  question: z.object({
    type: z.enum(QUESTION_TYPES),
    text: z.string().nullable(),
    options: z.array(z.string()),
    source: z.string(),
  }),
  annotation_source: z.string().nullable().describe('The source whose annotations are the items; null for media.'),
  agreement: z.int(),
  consensus: z.enum(CONSENSUS),
  reviewed: z.boolean(),
  people: z.array(z.guid()).nullable().describe('Who may answer; null for all editors.'),
  due_at: z.string().nullable(),
  view_id: z.uuid().nullable().describe('The view whose new matches become items; null if the items stay as they are.'),
  feed_error: z.string().nullable().describe('Why the last matches of the view are no items.'),
  paused: z.boolean(),
  created_at: z.string(),
  created_by: z.string(),
  n_items: z.int(),
  n_left: z.int().describe('Items that are not done, skipped or flagged.'),
  finished_at: z.string().nullable(),
};

const queueExample = {
  id: EXAMPLE.reviewQueue,
  name: 'Doubtful boats',
  description: '',
  question: { type: 'labels', text: 'What is on the picture?', options: ['boat', 'house'], source: 'ground_truth' },
  annotation_source: null,
  agreement: 1,
  consensus: 'vote',
  reviewed: false,
  people: null,
  due_at: null,
  view_id: null,
  feed_error: null,
  paused: false,
  created_at: '2026-11-24T09:30:00.000000',
  created_by: 'ana@example.com',
  n_items: 500,
  n_left: 120,
  finished_at: null,
} as const;

export const queueResponse = z.object(queueFields).meta({ id: 'ReviewQueue', example: queueExample });
export const queuesResponse = z.object({ queues: z.array(queueResponse) });

const figure = z.number().nullable();

export const progressResponse = z
  .object({
    ...queueFields,
    states: z.object(Object.fromEntries(ITEM_STATES.map((state) => [state, z.int()]))).describe('Items by state.'),
    n_leased: z.int().describe('Items that people have at the moment.'),
    rate_per_hour: z.int().describe('Decisions of the last hour.'),
    agreement_figures: z.object({
      observed: figure.describe('The share of pairs of answers to an item that are equal.'),
      cohen_kappa: figure.describe('Of just two people.'),
      krippendorff_alpha: figure,
    }),
    people_figures: z.array(
      z.object({
        person: z.string(),
        answered: z.int(),
        skipped: z.int(),
        flagged: z.int(),
        rejected: z.int(),
        honeypots: z.int(),
        honeypots_right: z.int(),
      }),
    ),
    label_figures: z.array(z.object({ label: z.string(), answered: z.int(), rejected: z.int() })),
  })
  .meta({
    id: 'ReviewProgress',
    example: {
      ...queueExample,
      states: { open: 119, skipped: 0, rejected: 1, to_review: 0, done: 378, flagged: 2 },
      n_leased: 2,
      rate_per_hour: 240,
      agreement_figures: { observed: null, cohen_kappa: null, krippendorff_alpha: null },
      people_figures: [
        {
          person: 'ben@example.com',
          answered: 378,
          skipped: 0,
          flagged: 2,
          rejected: 1,
          honeypots: 0,
          honeypots_right: 0,
        },
      ],
      label_figures: [{ label: 'boat', answered: 301, rejected: 1 }],
    },
  });

const answer = z.object({
  labels: z.array(z.string()).optional(),
  choice: z.string().optional(),
  accepted: z.boolean().optional(),
  done: z.boolean().optional(),
});

const itemFields = {
  item_id: z.uuid(),
  position: z.int(),
  media_id: z.uuid(),
  annotation_id: z.string().nullable(),
  state: z.enum(ITEM_STATES),
  answer: answer.nullable().describe('What was agreed on.'),
  change_id: z.uuid().nullable().describe('In the history of annotations.'),
};

const itemExample = {
  item_id: EXAMPLE.reviewItem,
  position: 17,
  media_id: EXAMPLE.media,
  annotation_id: null,
  state: 'open',
  answer: null,
  change_id: null,
} as const;

export const itemResponse = z.object(itemFields).meta({ id: 'ReviewItem', example: itemExample });

export const handedOutResponse = z
  .object({
    items: z.array(itemResponse),
    finished: z.boolean().describe('Nothing is left for the caller, also of what others have at the moment.'),
  })
  .meta({ id: 'ReviewItemsHandedOut', example: { finished: false } });

export const itemsResponse = z
  .object({ items: z.array(itemResponse), next_cursor: z.string().nullable() })
  .meta({ id: 'ReviewItemPage', example: { next_cursor: null } });

export const reviewedResponse = z
  .object({
    ...itemFields,
    undone: z
      .boolean()
      .nullable()
      .describe(
        'Whether the annotations are as before the answer: false if somebody changed them again, null if it had changed none.',
      ),
  })
  .meta({ id: 'ReviewedItem', example: { ...itemExample, state: 'rejected', undone: true } });

export const decisionsResponse = z
  .object({
    decisions: z.array(
      z.object({
        item_id: z.uuid(),
        person: z.string(),
        verdict: z.enum(VERDICTS),
        answer: answer.nullable(),
        reason: z.string().nullable(),
        decided_at: z.string(),
        accepted: z.boolean().nullable().describe('By a reviewer.'),
        reviewed_by: z.string().nullable(),
        reviewed_at: z.string().nullable(),
        review_reason: z.string().nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ReviewDecisionPage', example: { decisions: [], next_cursor: null } });

export const commentResponse = z
  .object({
    id: z.uuid(),
    author: z.string(),
    text: z.string(),
    mentions: z.array(z.string()),
    created_at: z.string(),
  })
  .meta({
    id: 'ReviewComment',
    example: {
      id: EXAMPLE.reviewComment,
      author: 'ana@example.com',
      text: 'Is that a boat or a raft?',
      mentions: ['ben@example.com'],
      created_at: '2026-11-24T09:32:10.500000',
    },
  });

export const commentsResponse = z.object({ comments: z.array(commentResponse) });

export const presentQueue = (queue: ReviewQueue): z.infer<typeof queueResponse> => ({
  id: queue.id,
  name: queue.name,
  description: queue.description,
  question: { ...queue.question, options: [...queue.question.options] },
  annotation_source: queue.itemSource,
  agreement: queue.agreement,
  consensus: queue.consensus,
  reviewed: queue.reviewed,
  people: queue.people && [...queue.people],
  due_at: formatTimestampOrNull(queue.dueAt),
  view_id: queue.viewId,
  feed_error: queue.feedError,
  paused: queue.paused,
  created_at: formatTimestamp(queue.createdAt),
  created_by: queue.createdBy,
  n_items: queue.items,
  n_left: queue.left,
  finished_at: formatTimestampOrNull(queue.finishedAt),
});

export const presentProgress = (
  queue: ReviewQueue,
  { states, leased, ratePerHour, people, labels, agreement }: QueueProgress,
): z.infer<typeof progressResponse> => ({
  ...presentQueue(queue),
  n_left: ITEM_STATES.filter(isLeft).reduce((sum, state) => sum + (states.get(state) ?? 0), 0),
  states: Object.fromEntries(ITEM_STATES.map((state) => [state, states.get(state) ?? 0])),
  n_leased: leased,
  rate_per_hour: ratePerHour,
  agreement_figures: {
    observed: agreement.observed,
    cohen_kappa: agreement.cohenKappa,
    krippendorff_alpha: agreement.krippendorffAlpha,
  },
  people_figures: people.map(({ honeypotsRight, ...person }) => ({ ...person, honeypots_right: honeypotsRight })),
  label_figures: labels.map((label) => ({ ...label })),
});

const presentAnswer = (given: Answer | null): z.infer<typeof answer> | null =>
  given && ('labels' in given ? { labels: [...given.labels] } : { ...given });

export const presentItem = (item: ReviewItem): z.infer<typeof itemResponse> => ({
  item_id: item.id,
  position: item.position,
  media_id: item.mediaId,
  annotation_id: item.annotationId,
  state: item.state,
  answer: presentAnswer(item.answer),
  change_id: item.changeId,
});

interface ReviewedDecision extends Decision {
  readonly accepted: boolean | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly reviewReason: string | null;
}

export const presentDecision = (
  decision: ReviewedDecision,
): z.infer<typeof decisionsResponse>['decisions'][number] => ({
  item_id: decision.itemId,
  person: decision.author,
  verdict: decision.verdict,
  answer: presentAnswer(decision.answer),
  reason: decision.reason,
  decided_at: formatTimestamp(decision.decidedAt),
  accepted: decision.accepted,
  reviewed_by: decision.reviewedBy,
  reviewed_at: formatTimestampOrNull(decision.reviewedAt),
  review_reason: decision.reviewReason,
});
