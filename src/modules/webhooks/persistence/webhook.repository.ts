import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DomainEvent, EventType } from '../../events';
import type { Webhook } from '../domain/webhook';

@Entity('webhook')
export class WebhookEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Index()
  @Column('uuid', { nullable: true })
  viewId!: string | null;

  @Column('text')
  url!: string;

  @Column('text', { array: true })
  events!: EventType[];

  @Column('bytea')
  sealedSecret!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  createdBy!: string;

  @Column('uuid', { nullable: true })
  createdById!: string | null;

  @Column('integer')
  unreached!: number;

  @Column('timestamptz', { nullable: true })
  pausedUntil!: Date | null;
}

@Injectable()
export class WebhookRepository {
  constructor(@InjectRepository(WebhookEntity) private readonly webhooks: Repository<WebhookEntity>) {}

  async insert(webhook: Webhook): Promise<void> {
    await this.webhooks.insert({ ...webhook, events: [...webhook.events] });
  }

  /** Newest first. */
  list(datasetId: string): Promise<Webhook[]> {
    return this.webhooks.find({ where: { datasetId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  count(datasetId: string): Promise<number> {
    return this.webhooks.countBy({ datasetId });
  }

  async find(datasetId: string, id: string): Promise<Webhook | undefined> {
    return (await this.webhooks.findOneBy({ id, datasetId })) ?? undefined;
  }

  async findAny(id: string): Promise<Webhook | undefined> {
    return (await this.webhooks.findOneBy({ id })) ?? undefined;
  }

  /** The webhooks that subscribe to the event, locked: until the transaction ends none can be deleted or end its run. */
  lockSubscribed(event: DomainEvent): Promise<Webhook[]> {
    const viewId = event.type === 'view.matched' ? event.viewId : null;
    return this.webhooks
      .createQueryBuilder('webhook')
      .where('webhook.datasetId = :datasetId', { datasetId: event.datasetId })
      .andWhere(':type = ANY(webhook.events)', { type: event.type })
      .andWhere('(webhook.viewId IS NULL OR webhook.viewId = :viewId)', { viewId })
      .orderBy('webhook.id')
      .setLock('for_key_share')
      .getMany();
  }

  /** Until the transaction ends no delivery can be added. Returns false if the webhook was deleted. */
  async lock(id: string): Promise<boolean> {
    const row = await this.webhooks.createQueryBuilder('webhook').where({ id }).setLock('pessimistic_write').getOne();
    return row !== null;
  }

  async saveReachability(
    id: string,
    { unreached, pausedUntil }: Pick<Webhook, 'unreached' | 'pausedUntil'>,
  ): Promise<void> {
    await this.webhooks.update({ id }, { unreached, pausedUntil });
  }

  /** Returns whether it existed. */
  async delete(datasetId: string, id: string): Promise<boolean> {
    const { affected } = await this.webhooks.delete({ id, datasetId });
    return affected === 1;
  }
}
