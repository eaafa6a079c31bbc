import type { EventType } from '../../events';
import { BadRequestError, ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class WebhookNotFoundError extends NotFoundError {
  constructor() {
    super('Webhook not found');
  }
}

export class WebhookHostError extends BadRequestError {
  constructor(host: string) {
    super(`Webhooks may not call ${host}: it is not among the hosts of WEBHOOK_HOSTS`);
  }
}

export class TooManyWebhooksError extends ConflictError {
  constructor(most: number) {
    super(`This dataset has ${most} webhooks, which is the limit. Delete one first.`);
  }
}

/** Purpose that the secrets of webhooks are sealed with. */
export const WEBHOOK_SECRETS = 'webhook secrets';

/** A URL that events of a dataset, or matches of one view, are posted to. */
export interface Webhook {
  readonly id: string;
  readonly datasetId: string;
  /** Null for all views of the dataset. */
  readonly viewId: string | null;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly sealedSecret: Buffer;
  readonly createdAt: Date;
  /** E-mail address. */
  readonly createdBy: string;
  /** Null for webhooks made before this column existed, if their creator was not found. */
  readonly createdById: string | null;
  /** Consecutive attempts without a response. */
  readonly unreached: number;
  /** No attempt is made before this time. */
  readonly pausedUntil: Date | null;
}

export const CREATOR_WITHOUT_ACCESS =
  'The creator of the webhook may no longer change the dataset. If it is still needed, delete it and create it again.';

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'GIVEN_UP'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event to be posted to one webhook. */
export interface Delivery {
  /** Stays the same for all attempts. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: EventType;
  readonly payload: object;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  /** Null after the delivery has succeeded or was given up. */
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
}
