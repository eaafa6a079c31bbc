import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import type { Delivery, Webhook } from '../domain/webhook';
import type { DeliveryResponse, WebhookResponse } from './webhook.schemas';

export const presentWebhook = (webhook: Webhook, stoppedReason: string | null = null): WebhookResponse => ({
  id: webhook.id,
  dataset_id: webhook.datasetId,
  view_id: webhook.viewId,
  url: webhook.url,
  events: [...webhook.events],
  created_at: formatTimestamp(webhook.createdAt),
  created_by: webhook.createdBy,
  stopped_reason: stoppedReason,
});

export const presentDelivery = (delivery: Delivery): DeliveryResponse => ({
  id: delivery.id,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status_code: delivery.lastStatusCode,
  last_error: delivery.lastError,
  next_attempt_at: formatTimestampOrNull(delivery.nextAttemptAt),
  created_at: formatTimestamp(delivery.createdAt),
  delivered_at: formatTimestampOrNull(delivery.deliveredAt),
  data: { ...delivery.payload },
});
