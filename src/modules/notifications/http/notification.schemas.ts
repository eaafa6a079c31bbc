import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { booleanText, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { notificationResponse } from './notification.presenter';

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

export const listResponse = z
  .object({ notifications: z.array(notificationResponse), total: z.int(), has_more: z.boolean() })
  .meta({ id: 'NotificationList', example: { total: 1, has_more: false } });
export const countResponse = z.object({ count: z.int() }).meta({ example: { count: 3 } });
export const readResponse = z.object({ ok: z.boolean() }).meta({ example: { ok: true } });
export const readAllResponse = z.object({ ok: z.boolean(), count: z.int() }).meta({ example: { ok: true, count: 3 } });
