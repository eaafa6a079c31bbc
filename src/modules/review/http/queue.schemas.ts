import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import {
  datasetPath,
  givenDescription,
  givenName,
  lowerUuid,
  timeText,
  wholeNumber,
} from '../../../common/platform/http/query-values';
import { searchBodyFields, SORTS, toSearchQuery } from '../../search';
import { GROUND_TRUTH } from '../../versions';
import type { AskedQueue } from '../create-queue.use-case';
import { QUESTION_TYPES } from '../domain/question';
import { CONSENSUS, ITEM_STATES, MAX_AGREEMENT, MAX_ITEMS, VERDICTS } from '../domain/review-queue';
import type { AskedItems } from '../frozen-items';

/** Some hundred thousand ids. */
export const MAX_QUEUE_BYTES = 5 * 1024 * 1024;
const MAX_LABEL = 256;
const MAX_LABELS = 100;
const MAX_OPTIONS = 1_000;
const MAX_TEXT = 2_000;
const MAX_PEOPLE = 200;
const MAX_HONEYPOTS = 1_000;
const MAX_HANDED_OUT = 20;
const MAX_PER_PAGE = 1_000;
/** Of decisions in the database. */
const MAX_NUMBER = 999_999_999_999_999;
const MAX_SEED = 2 ** 31 - 1;

const label = z.string().min(1).max(MAX_LABEL);
const words = z.string().max(MAX_TEXT);
const person = z.string().trim().min(1).max(320);
const limit = z.int().min(1).max(MAX_ITEMS).optional().describe('How many of the first; all by default.');
const fraction = z.number().min(0).max(1);

const question = z
  .strictObject({
    type: z
      .enum(QUESTION_TYPES, { error: `Input should be one of ${QUESTION_TYPES.join(', ')}` })
      .describe(
        '`labels` of the whole picture, `choose` one of the options, `accept` or not, or `boxes`, which are drawn by edits.',
      ),
    text: words.nullish(),
    options: z.array(label).max(MAX_OPTIONS).default([]).describe('The labels that may be given; needed to choose.'),
    source: z
      .string()
      .min(1)
      .max(100)
      .default(GROUND_TRUTH)
      .describe(`The source that answers are written to; default ${GROUND_TRUTH}.`),
  })
  .refine(({ type, options }) => type !== 'choose' || new Set(options).size > 1, {
    path: ['options'],
    error: 'Input should have two options or more',
  })
  .transform(({ text = null, options, ...rest }) => ({ ...rest, text, options: [...new Set(options)] }));

const query = z
  .strictObject({
    ...searchBodyFields,
    sort: z
      .enum([...SORTS, 'random'], { error: `Input should be random or one of ${SORTS.join(', ')}` })
      .optional()
      .describe('The order of the items; `random` depends on the seed.'),
    limit,
  })
  .transform(({ sort, limit: most, ...values }, context): AskedItems => {
    if (values.entity_type !== undefined && values.entity_type !== 'IMAGES')
      context.addIssue({ code: 'custom', path: ['entity_type'], message: 'Input should be IMAGES' });
    const isRandom = sort === 'random';
    const of = { query: toSearchQuery(values, context, isRandom ? undefined : sort), isRandom, limit: most };
    return { kind: 'query', of };
  });

const annotations = z
  .strictObject({
    source: z.string().min(1).max(100),
    label: label.optional(),
    confidence: z.tuple([fraction, fraction]).optional().describe('The least and the most.'),
    order: z.enum(['confidence', '-confidence', 'random']).optional(),
    limit,
  })
  .transform(({ label: of, confidence, order, limit: most, source }): AskedItems => ({
    kind: 'annotations',
    of: { source, label: of, confidence, order, limit: most },
  }));

const answerFields = {
  labels: z.array(label).max(MAX_LABELS).optional(),
  choice: label.optional(),
  accepted: z.boolean().optional(),
};

const honeypot = z
  .strictObject({ media_id: lowerUuid, answer: z.strictObject(answerFields) })
  .transform(({ media_id: mediaId, answer }) => ({ mediaId, answer }));

const people = z.array(person).min(1).max(MAX_PEOPLE);
const PEOPLE = 'Ids or e-mail addresses of those who may answer; all editors by default.';

const dueAt = timeText.meta({ type: 'string', example: '2026-12-24T18:00:00' });

export const newQueueBody = z
  .strictObject({
    name: givenName,
    description: givenDescription.default(''),
    query: query.optional().describe('The items: images and frames that a search finds.'),
    media_ids: z.array(lowerUuid).min(1).max(MAX_ITEMS).optional().describe('The items: these images and frames.'),
    annotations: annotations.optional().describe('The items: annotations of a source.'),
    view_id: lowerUuid
      .optional()
      .describe(
        'The items: images and frames that this view finds, also those of later batches. May begin without any.',
      ),
    question,
    due_at: dueAt.nullish(),
    people: people.nullish().describe(PEOPLE),
    agreement: z
      .int()
      .min(1)
      .max(MAX_AGREEMENT)
      .default(1)
      .describe('How many people must answer each item; default 1.'),
    consensus: z
      .enum(CONSENSUS)
      .default('vote')
      .describe('Where answers differ, the most frequent one wins (`vote`), or that of one more person (`third`).'),
    reviewed: z
      .boolean()
      .default(false)
      .describe('Whether somebody else accepts or rejects each answer; default false.'),
    honeypots: z
      .array(honeypot)
      .max(MAX_HONEYPOTS)
      .default([])
      .describe('Media whose answer is known, mixed among the others. Their answers change no annotations.'),
    seed: z.int().min(0).max(MAX_SEED).default(0).describe('Of random orders; default 0.'),
  })
  .refine(
    ({ query: one, media_ids: two, annotations: three, view_id: four }) =>
      [one, two, three, four].filter(Boolean).length === 1,
    {
      error: 'Input should have one of query, media_ids, annotations and view_id',
    },
  )
  .refine(({ annotations: asked, honeypots }) => asked === undefined || honeypots.length === 0, {
    path: ['honeypots'],
    error: 'Input should be omitted where the items are annotations',
  })
  .transform(
    ({
      query: found,
      media_ids: ids,
      annotations: said,
      view_id: viewId,
      due_at: due = null,
      people: who = null,
      ...rest
    }): AskedQueue => ({
      ...rest,
      items: found ?? said ?? (viewId === undefined ? { kind: 'media', of: ids! } : { kind: 'view', of: viewId }),
      dueAt: due,
      people: who,
    }),
  )
  .meta({
    example: {
      name: 'Doubtful boats',
      query: { sort: 'random', limit: 500 },
      question: { type: 'labels', text: 'What is on the picture?', options: ['boat', 'house'] },
      agreement: 1,
    },
  });

export const queueChangeBody = z
  .strictObject({
    name: givenName.optional(),
    description: givenDescription.optional(),
    due_at: dueAt.nullish(),
    people: people.nullish().describe(PEOPLE),
    paused: z.boolean().optional().describe('A paused queue hands out no items.'),
  })
  .transform(({ due_at: due, ...rest }) => ({ ...rest, ...(due !== undefined && { dueAt: due }) }))
  .meta({ example: { paused: true } });
export type QueueChangeBody = z.output<typeof queueChangeBody>;

export const queuePath = datasetPath.extend({
  queue_id: lowerUuid.meta({ description: 'The review queue.', example: EXAMPLE.reviewQueue }),
});
export type QueuePath = z.output<typeof queuePath>;

export const itemPath = queuePath.extend({
  item_id: lowerUuid.meta({ description: 'The item.', example: EXAMPLE.reviewItem }),
});
export type ItemPath = z.output<typeof itemPath>;

export const nextBody = z
  .strictObject({ limit: z.int().min(1).max(MAX_HANDED_OUT).default(1).describe('1 to 20; default 1.') })
  .meta({ example: { limit: 2 } });
export type NextBody = z.output<typeof nextBody>;

export const decisionBody = z
  .strictObject({
    verdict: z.enum(VERDICTS).describe('`skip` leaves the item to others, `flag` takes it out of the queue.'),
    ...answerFields,
    reason: words.optional().describe('Needed to flag.'),
  })
  .refine(({ verdict, reason = '' }) => verdict !== 'flag' || reason.trim() !== '', {
    path: ['reason'],
    error: 'Field required',
  })
  .refine(
    ({ verdict, ...given }) => verdict === 'answer' || Object.keys(answerFields).every((name) => !(name in given)),
    {
      error: 'Input should have no answer beside a verdict to skip or to flag',
    },
  )
  .transform(({ reason = null, ...rest }) => ({ ...rest, reason }))
  .meta({ example: { verdict: 'answer', labels: ['boat'] } });
export type DecisionBody = z.output<typeof decisionBody>;

export const reviewBody = z
  .strictObject({ accepted: z.boolean(), reason: words.optional() })
  .transform(({ accepted, reason = null }) => ({ accepted, reason }))
  .meta({ example: { accepted: false, reason: 'There is a second boat behind the house.' } });
export type ReviewBody = z.output<typeof reviewBody>;

export const commentBody = z
  .strictObject({
    text: z.string().trim().min(1).max(MAX_TEXT),
    mentions: z
      .array(person)
      .max(20)
      .default([])
      .describe('E-mail addresses or ids of people with access to the dataset, who get a notification.'),
  })
  .meta({ example: { text: 'Is that a boat or a raft?', mentions: [] } });
export type CommentBody = z.output<typeof commentBody>;

const perPage = wholeNumber(1, MAX_PER_PAGE).default(100).describe(`Per page, 1 to ${MAX_PER_PAGE}; default 100.`);
export const itemsQuery = z.object({
  state: z.enum(ITEM_STATES).optional().describe('Only items in this state.'),
  cursor: wholeNumber(0, MAX_ITEMS).optional().describe('`next_cursor` of the page before.'),
  limit: perPage,
});
export type ItemsQuery = z.output<typeof itemsQuery>;

export const decisionsQuery = z.object({
  cursor: wholeNumber(0, MAX_NUMBER).optional().describe('`next_cursor` of the page before.'),
  limit: perPage,
});
export type DecisionsQuery = z.output<typeof decisionsQuery>;
