import { Injectable } from '@nestjs/common';
import { WebhookNotFoundError } from './domain/webhook-errors';
import { WebhookRepository } from './persistence/webhook.repository';

/** Also deletes its deliveries. */
@Injectable()
export class DeleteWebhookUseCase {
  constructor(private readonly webhooks: WebhookRepository) {}

  async delete(datasetId: string, id: string): Promise<void> {
    if (!(await this.webhooks.delete(datasetId, id))) throw new WebhookNotFoundError();
  }
}
