import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../events';
import type { DeliveryStatus } from '../domain/webhook';

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
