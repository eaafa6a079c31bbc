import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import type { Notification } from '../domain/notification';

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
