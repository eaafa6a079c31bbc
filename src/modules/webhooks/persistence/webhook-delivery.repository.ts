import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Raw, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../events';
import type { Delivery, Webhook, DeliveryStatus } from '../domain/webhook';

@Entity('webhook_delivery')
@Index(['webhookId', 'event', 'subject'], { unique: true })
@Index(['webhookId', 'createdAt'])
@Index(['webhookId', 'nextAttemptAt'])
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhookId!: string;

  @Column('text')
  event!: EventType;

  /** Identifies the event among those of its type. */
  @Column('text')
  subject!: string;

  @Column('jsonb')
  payload!: object;

  @Column('text')
  status!: DeliveryStatus;

  @Column('integer')
  attempts!: number;

  @Column('integer', { nullable: true })
  lastStatusCode!: number | null;

  @Column('text', { nullable: true })
  lastError!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  deliveredAt!: Date | null;
}

export interface DeliverableEvent {
  readonly event: EventType;
  readonly subject: string;
  readonly payload: object;
}

@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    @InjectRepository(WebhookDeliveryEntity) private readonly deliveries: Repository<WebhookDeliveryEntity>,
  ) {}

  /** Adds a pending delivery for each webhook, to be sent at a time. Idempotent for each event. */
  async insertPending(
    webhooks: readonly Webhook[],
    { event, subject, payload }: DeliverableEvent,
    { now, due }: { readonly now: Date; readonly due: Date },
  ): Promise<void> {
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
      nextAttemptAt: pausedUntil !== null && pausedUntil > due ? pausedUntil : due,
      deliveredAt: null,
    }));
    await this.deliveries.createQueryBuilder().insert().values(values).orIgnore().execute();
  }

  /** Deliveries of an event that were never attempted and are not due, locked until the transaction ends. */
  lockWaiting(webhookIds: readonly string[], event: EventType): Promise<Delivery[]> {
    return this.deliveries.find({
      where: {
        webhookId: In(webhookIds),
        event,
        attempts: 0,
        nextAttemptAt: Raw((column) => `${column} > clock_timestamp()`),
      },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async savePayload(id: string, payload: object): Promise<void> {
    await this.deliveries.update({ id }, { payload });
  }

  /** Newest first. */
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

  /**
   * Longest due first. Uses the clock of the database, which starts the runs too. Waits for a transaction that adds to a delivery, because none
   * may begin to do so afterwards. Call it in a transaction.
   */
  listDue(webhookId: string, limit: number): Promise<Delivery[]> {
    return this.deliveries.find({
      lock: { mode: 'pessimistic_read' },
      where: { webhookId, nextAttemptAt: Raw((column) => `${column} <= now()`) },
      order: { nextAttemptAt: 'ASC', createdAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** Time of the next attempt; undefined if nothing is pending. */
  async nextAttempt(webhookId: string): Promise<Date | undefined> {
    const [row] = await this.deliveries.query<{ next: Date | null }[]>(
      'SELECT min(next_attempt_at) AS next FROM webhook_delivery WHERE webhook_id = $1',
      [webhookId],
    );
    return row?.next ?? undefined;
  }

  /** False if the delivery was deleted. */
  async saveAttempt({ id, ...delivery }: Delivery): Promise<boolean> {
    const { status, attempts, lastStatusCode, lastError, nextAttemptAt, deliveredAt } = delivery;
    const { affected } = await this.deliveries.update(
      { id },
      { status, attempts, lastStatusCode, lastError, nextAttemptAt, deliveredAt },
    );
    return affected === 1;
  }

  async postpone(webhookId: string, until: Date): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET next_attempt_at = $2 WHERE webhook_id = $1 AND next_attempt_at < $2`,
      [webhookId, until],
    );
  }

  /** Gives up old deliveries, whether they were attempted or not. */
  async giveUpOlderThan(webhookId: string, createdBefore: Date, reason: string): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET status = 'GIVEN_UP', next_attempt_at = NULL, last_error = coalesce(last_error, $3)
       WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL AND created_at < $2`,
      [webhookId, createdBefore, reason],
    );
  }

  /** Gives up all pending deliveries. */
  async giveUpAll(webhookId: string, reason: string): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_delivery SET status = 'GIVEN_UP', next_attempt_at = NULL, last_error = $2
       WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL`,
      [webhookId, reason],
    );
  }

  /** Webhooks that have a delivery due. */
  async listDueWebhookIds(now: Date): Promise<string[]> {
    const rows = await this.deliveries.query<{ id: string }[]>(
      'SELECT DISTINCT webhook_id AS id FROM webhook_delivery WHERE next_attempt_at <= $1 LIMIT 10000',
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns how many were deleted. */
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
