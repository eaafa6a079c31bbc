import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Raw, Repository } from 'typeorm';
import type { EventType } from '../../events';
import type { Delivery, Webhook } from '../domain/webhook';
import { WebhookDeliveryEntity } from './webhook-delivery.entity';

export interface OwedEvent {
  readonly event: EventType;
  readonly subject: string;
  readonly payload: object;
}

@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    @InjectRepository(WebhookDeliveryEntity) private readonly deliveries: Repository<WebhookDeliveryEntity>,
  ) {}

  /** To each of the webhooks once, however often it is asked. */
  async owe(webhooks: readonly Webhook[], { event, subject, payload }: OwedEvent, now: Date): Promise<void> {
    const values = webhooks.map(({ id: webhookId, pausedUntil }) => ({
      id: randomUUID(),
      webhookId,
      event,
      subject,
      payload,
      status: 'PENDING' as const,
      attempts: 0,
      lastStatusCode: null,
      lastError: null,
      createdAt: now,
      nextAttemptAt: pausedUntil !== null && pausedUntil > now ? pausedUntil : now,
      deliveredAt: null,
    }));
    await this.deliveries.createQueryBuilder().insert().values(values).orIgnore().execute();
  }

  /** The newest first. */
  async list(
    webhookId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const [deliveries, total] = await this.deliveries.findAndCount({
      where: { webhookId },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: limit,
      skip: offset,
    });
    return { deliveries, total };
  }

  /** Those that have been due for longest, by the clock that starts the runs. */
  due(webhookId: string, limit: number): Promise<Delivery[]> {
    return this.deliveries.find({
      where: { webhookId, nextAttemptAt: Raw((column) => `${column} <= now()`) },
      order: { nextAttemptAt: 'ASC', createdAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** When something is to be tried next; undefined when nothing is left. */
  async nextAttempt(webhookId: string): Promise<Date | undefined> {
    const [row] = await this.deliveries.query<{ next: Date | null }[]>(
      'SELECT min(next_attempt_at) AS next FROM webhook_delivery WHERE webhook_id = $1',
      [webhookId],
    );
    return row?.next ?? undefined;
  }

  /** False once it is deleted. */
  async saveAttempt({ id, ...delivery }: Delivery): Promise<boolean> {
    const { status, attempts, lastStatusCode, lastError, nextAttemptAt, deliveredAt } = delivery;
    const { affected } = await this.deliveries.update(
      { id },
      { status, attempts, lastStatusCode, lastError, nextAttemptAt, deliveredAt },
    );
    return affected === 1;
  }

  async holdBack(webhookId: string, until: Date): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET next_attempt_at = $2 WHERE webhook_id = $1 AND next_attempt_at < $2`,
      [webhookId, until],
    );
  }

  /** Those that nobody took for too long, tried or not. */
  async giveUp(webhookId: string, createdBefore: Date, reason: string): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET status = 'GIVEN_UP', next_attempt_at = NULL, last_error = coalesce(last_error, $3)
       WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL AND created_at < $2`,
      [webhookId, createdBefore, reason],
    );
  }

  /** All that is not sent yet. */
  async giveUpAll(webhookId: string, reason: string): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET status = 'GIVEN_UP', next_attempt_at = NULL, last_error = $2
       WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL`,
      [webhookId, reason],
    );
  }

  /** Webhooks for which something is due. */
  async dueWebhooks(now: Date): Promise<string[]> {
    const rows = await this.deliveries.query<{ id: string }[]>(
      'SELECT DISTINCT webhook_id AS id FROM webhook_delivery WHERE next_attempt_at <= $1 LIMIT 10000',
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** Says how many there were. */
  async deleteEnded(createdBefore: Date): Promise<number> {
    const { affected } = await this.deliveries
      .createQueryBuilder()
      .delete()
      .where({ createdAt: LessThan(createdBefore) })
      .andWhere('nextAttemptAt IS NULL')
      .execute();
    return affected ?? 0;
  }
}
