import { z } from 'zod';
import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/timestamp';
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
  .meta({ id: 'Notification' });
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
