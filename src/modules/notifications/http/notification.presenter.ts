import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import {
  formatTimestamp,
  formatTimestampOrNull,
  booleanText,
  uuid,
  wholeNumber,
} from '../../../common/platform/http/query-values';
import type { Notification } from '../domain/notification';

/** Browsers ignore an event without a data line; other clients skip an empty one. */
export const PING_EVENT = Buffer.from('event: ping\ndata: \n\n');
export const ERROR_EVENT = Buffer.from(
  `event: error\ndata: ${JSON.stringify({ detail: 'Notifications cannot be read at the moment. The stream stays open.' })}\n\n`,
);

const eventOf = (notification: Notification): string =>
  `event: notification\nid: ${notification.id}\ndata: ${JSON.stringify(presentNotification(notification))}\n\n`;

export const eventsOf = (notifications: readonly Notification[]): Buffer =>
  Buffer.from(notifications.map(eventOf).join(''));

const ofDataset = uuid
  .transform((id) => id.toLowerCase())
  .optional()
  .describe('Only of this dataset.');

export const listQuery = z.object({
  limit: wholeNumber(1, 100).default(20).describe('Maximum number of results, 1 to 100; default 20.'),
  offset: wholeNumber(0, 1_000_000_000).default(0).describe('How many of the newest to skip.'),
  unread_only: booleanText.default(false).describe('Only unread notifications.'),
  dataset_id: ofDataset,
});
export type ListQuery = z.output<typeof listQuery>;

export const datasetQuery = z.object({ dataset_id: ofDataset });
export type DatasetQuery = z.output<typeof datasetQuery>;

export const notificationPath = z.object({
  notification_id: uuid
    .transform((id) => id.toLowerCase())
    .meta({ description: 'The notification.', example: EXAMPLE.notification }),
});
export type NotificationPath = z.output<typeof notificationPath>;

export const notificationResponse = z
  .object({
    id: z.uuid(),
    user_id: z.guid(),
    entity_type: z.string(),
    entity_id: z.uuid(),
    title: z.string(),
    message: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    dataset_id: z.uuid().nullable(),
    created_at: z.string(),
    read_at: z.string().nullable(),
  })
  .meta({
    id: 'Notification',
    example: {
      id: EXAMPLE.notification,
      user_id: EXAMPLE.member,
      entity_type: 'saved_view',
      entity_id: EXAMPLE.view,
      title: 'Boats: 13 new results',
      message: null,
      metadata: { batch_id: EXAMPLE.batch, count: 13 },
      dataset_id: EXAMPLE.dataset,
      created_at: '2026-11-24T09:32:10.500000',
      read_at: null,
    },
  });
export type NotificationResponse = z.infer<typeof notificationResponse>;

export const listResponse = z
  .object({ notifications: z.array(notificationResponse), total: z.int(), has_more: z.boolean() })
  .meta({ id: 'NotificationList', example: { total: 1, has_more: false } });
export const countResponse = z.object({ count: z.int() }).meta({ example: { count: 3 } });
export const readResponse = z.object({ ok: z.boolean() }).meta({ example: { ok: true } });
export const readAllResponse = z.object({ ok: z.boolean(), count: z.int() }).meta({ example: { ok: true, count: 3 } });

export const presentNotification = (notification: Notification): NotificationResponse => ({
  id: notification.id,
  user_id: notification.userId,
  entity_type: notification.entityType,
  entity_id: notification.entityId,
  title: notification.title,
  message: notification.message,
  metadata: { ...notification.metadata },
  dataset_id: notification.datasetId,
  created_at: formatTimestamp(notification.createdAt),
  read_at: formatTimestampOrNull(notification.readAt),
});
