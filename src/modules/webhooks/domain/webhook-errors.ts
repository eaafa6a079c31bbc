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
