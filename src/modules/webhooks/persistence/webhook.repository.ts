import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { DomainEvent } from '../../events';
import type { Webhook } from '../domain/webhook';
import { WebhookEntity } from './webhook.entity';

@Injectable()
export class WebhookRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(webhook: Webhook): Promise<void> {
    await this.transactions.current().insert(WebhookEntity, { ...webhook, events: [...webhook.events] });
  }

  /** The newest first. */
  list(datasetId: string): Promise<Webhook[]> {
    return this.transactions
      .current()
      .find(WebhookEntity, { where: { datasetId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  count(datasetId: string): Promise<number> {
    return this.transactions.current().countBy(WebhookEntity, { datasetId });
  }

  async find(datasetId: string, id: string): Promise<Webhook | undefined> {
    return (await this.transactions.current().findOneBy(WebhookEntity, { id, datasetId })) ?? undefined;
  }

  async findAny(id: string): Promise<Webhook | undefined> {
    return (await this.transactions.current().findOneBy(WebhookEntity, { id })) ?? undefined;
  }

  /** Those that want to be told; none of them goes away, nor is found idle, before the transaction ends. */
  listWanting(event: DomainEvent): Promise<Webhook[]> {
    const viewId = event.type === 'view.matched' ? event.viewId : null;
    return this.transactions
      .current()
      .createQueryBuilder(WebhookEntity, 'webhook')
      .where('webhook.datasetId = :datasetId', { datasetId: event.datasetId })
      .andWhere(':type = ANY(webhook.events)', { type: event.type })
      .andWhere('(webhook.viewId IS NULL OR webhook.viewId = :viewId)', { viewId })
      .orderBy('webhook.id')
      .setLock('for_key_share')
      .getMany();
  }

  /** Until the transaction ends nothing is added for it to deliver; false once it is deleted. */
  async lock(id: string): Promise<boolean> {
    const row = await this.transactions
      .current()
      .createQueryBuilder(WebhookEntity, 'webhook')
      .where({ id })
      .setLock('pessimistic_write')
      .getOne();
    return row !== null;
  }

  async saveReach(id: string, { unreached, pausedUntil }: Pick<Webhook, 'unreached' | 'pausedUntil'>): Promise<void> {
    await this.transactions.current().update(WebhookEntity, { id }, { unreached, pausedUntil });
  }

  /** Says whether it was there. */
  async delete(datasetId: string, id: string): Promise<boolean> {
    const { affected } = await this.transactions.current().delete(WebhookEntity, { id, datasetId });
    return affected === 1;
  }
}
