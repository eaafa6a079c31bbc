import type { EventType } from '../../events';

/** What the secrets of webhooks are sealed for. */
export const WEBHOOK_SECRETS = 'webhook secrets';

/** An address that is told of what happens to a dataset, or of what one view finds. */
export interface Webhook {
  readonly id: string;
  readonly datasetId: string;
  /** Null for all views of the dataset. */
  readonly viewId: string | null;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly sealedSecret: Buffer;
  readonly createdAt: Date;
  /** Email address. */
  readonly createdBy: string;
  /** Null for somebody who was unknown when this came to be kept. */
  readonly createdById: string | null;
  /** How often in a row nobody answered. */
  readonly unreached: number;
  /** Until then nobody asks there again. */
  readonly pausedUntil: Date | null;
}

export const CREATOR_WITHOUT_ACCESS =
  'Its creator may no longer change the dataset: delete the webhook, and make it anew if it is still wanted';

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'GIVEN_UP'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** That one webhook is told of one event. */
export interface Delivery {
  /** The same at each attempt. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: EventType;
  readonly payload: object;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  /** Null once it is delivered or given up. */
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
}
