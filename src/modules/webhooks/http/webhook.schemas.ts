import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { datasetPath, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { EVENT_TYPES } from '../../events';
import { DELIVERY_STATUSES } from '../domain/webhook';

const lowerUuid = uuid.transform((id) => id.toLowerCase());

export const webhookPath = datasetPath.extend({
  webhook_id: lowerUuid.meta({ description: 'The webhook.', example: EXAMPLE.webhook }),
});
export type WebhookPath = z.output<typeof webhookPath>;

const example = {
  id: EXAMPLE.webhook,
  dataset_id: EXAMPLE.dataset,
  view_id: null,
  url: 'https://hooks.example.com/dms',
  events: ['task.completed', 'task.failed'],
  created_at: '2026-11-24T09:32:10.500000',
  created_by: 'ana@example.com',
  stopped_reason: null,
};

const MOST_CHARACTERS = 2048;

const address = z
  .string()
  .trim()
  .max(MOST_CHARACTERS, { error: `Input should be at most ${MOST_CHARACTERS} characters` })
  .transform((text, context) => {
    const fail = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (!URL.canParse(text)) return fail('Input should be a URL');
    const url = new URL(text);
    if (!['http:', 'https:'].includes(url.protocol)) return fail('Input should be a URL of http or https');
    if (url.username !== '' || url.password !== '') return fail('Input should have no user name and no password');
    url.hash = '';
    return url.href;
  });

export const newWebhookBody = z
  .object({
    url: address.describe(
      'URL that events are posted to: http or https, with a host that the operator allows (WEBHOOK_HOSTS).',
    ),
    events: z
      .array(z.enum(EVENT_TYPES, { error: `Input should be one of ${EVENT_TYPES.join(', ')}` }))
      .min(1, { error: 'Input should have at least one event' })
      .transform((events) => [...new Set(events)]),
    view_id: lowerUuid.nullish().describe('Only matches of this view; `events` is then view.matched alone.'),
  })
  .refine(({ view_id, events }) => view_id == null || events.every((event) => event === 'view.matched'), {
    path: ['events'],
    error: 'Input should be view.matched alone where view_id is given',
  })
  .meta({ example: { url: example.url, events: ['task.completed', 'task.failed'] } });
export type NewWebhookBody = z.output<typeof newWebhookBody>;

export const deliveriesQuery = z.object({
  limit: wholeNumber(1, 100).default(20).describe('Maximum number of results, 1 to 100; default 20.'),
  offset: wholeNumber(0, 1_000_000_000).default(0).describe('How many of the newest to skip.'),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;

export const webhookResponse = z
  .object({
    id: z.uuid(),
    dataset_id: z.uuid(),
    view_id: z.uuid().nullable(),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    created_at: z.string(),
    created_by: z.string(),
    stopped_reason: z.string().nullable().describe('Why deliveries have stopped; null while they are sent.'),
  })
  .meta({ id: 'Webhook', example: example });
export type WebhookResponse = z.infer<typeof webhookResponse>;

export const newWebhookResponse = webhookResponse
  .extend({ secret: z.string().describe('Key of the signatures; shown only in this response.') })
  .meta({
    id: 'NewWebhook',
    example: { ...example, secret: 'whsec_wMaKmVhm3x6nk1l4PoKCKc9zmL46GzZVE0oL0nEdQjo' },
  });
export type NewWebhookResponse = z.infer<typeof newWebhookResponse>;

export const webhooksResponse = z.object({ webhooks: z.array(webhookResponse) });

export const deliveryResponse = z
  .object({
    id: z.uuid(),
    event: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
    delivered_at: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'WebhookDelivery',
    example: {
      id: EXAMPLE.delivery,
      event: 'task.completed',
      status: 'DELIVERED',
      attempts: 1,
      last_status_code: 204,
      last_error: null,
      next_attempt_at: null,
      created_at: '2026-11-24T09:30:00.000000',
      delivered_at: '2026-11-24T09:32:10.500000',
      data: { task_id: EXAMPLE.task, task_type: 'MEDIA_ADDITION' },
    },
  });
export type DeliveryResponse = z.infer<typeof deliveryResponse>;

export const deliveriesResponse = z
  .object({ deliveries: z.array(deliveryResponse), total: z.int(), has_more: z.boolean() })
  .meta({ id: 'WebhookDeliveryList', example: { total: 1, has_more: false } });
export type DeliveriesResponse = z.infer<typeof deliveriesResponse>;
