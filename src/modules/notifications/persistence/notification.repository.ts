import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  IsNull,
  MoreThan,
  Repository,
  type FindOptionsWhere,
  Column,
  Entity,
  Generated,
  Index,
  PrimaryColumn,
} from 'typeorm';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { NewNotification, Notification, StreamScope } from '../domain/notification';

@Entity('notification')
@Index(['userId', 'position'])
export class NotificationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index({ unique: true })
  @Column('bigint')
  @Generated('increment')
  position!: string;

  @Column('uuid')
  userId!: string;

  @Column('text')
  entityType!: Notification['entityType'];

  @Index()
  @Column('uuid')
  entityId!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  message!: string | null;

  @Column('jsonb')
  metadata!: Record<string, string | number | boolean>;

  @Index()
  @Column('uuid', { nullable: true })
  datasetId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  readAt!: Date | null;
}

/** Channel for NOTIFY. */
export const CHANNEL = 'notification';

export interface ListedPart {
  readonly limit: number;
  readonly offset: number;
  readonly unreadOnly: boolean;
  readonly datasetId: string | undefined;
}

const toNotification = (row: NotificationEntity): Notification => ({
  id: row.id,
  position: Number(row.position),
  userId: row.userId,
  entityType: row.entityType,
  entityId: row.entityId,
  title: row.title,
  message: row.message,
  metadata: row.metadata,
  datasetId: row.datasetId,
  createdAt: row.createdAt,
  readAt: row.readAt,
});

const ofUser = (userId: string, datasetId: string | undefined): FindOptionsWhere<NotificationEntity> => ({
  userId,
  ...(datasetId === undefined ? {} : { datasetId }),
});

@Injectable()
export class NotificationRepository {
  constructor(
    @InjectRepository(NotificationEntity) private readonly notifications: Repository<NotificationEntity>,
    private readonly transactions: TransactionRunner,
  ) {}

  async insert(notifications: readonly NewNotification[], now: Date): Promise<void> {
    if (notifications.length === 0) return;
    await this.transactions.run(async () => {
      // Positions must become visible in order: a reader who has seen one has seen all lower ones.
      await this.notifications.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [CHANNEL]);
      await this.notifications.insert(
        notifications.map((each) => ({ ...each, id: randomUUID(), createdAt: now, readAt: null })),
      );
      await this.notifications.query('SELECT pg_notify($1, $2)', [CHANNEL, '']);
    });
  }

  /** Newest first. */
  async list(userId: string, part: ListedPart): Promise<{ notifications: Notification[]; total: number }> {
    const where = { ...ofUser(userId, part.datasetId), ...(part.unreadOnly ? { readAt: IsNull() } : {}) };
    const [rows, total] = await this.notifications.findAndCount({
      where,
      order: { position: 'DESC' },
      take: part.limit,
      skip: part.offset,
    });
    return { notifications: rows.map(toNotification), total };
  }

  async countUnread(userId: string, datasetId: string | undefined): Promise<number> {
    return this.notifications.countBy({ ...ofUser(userId, datasetId), readAt: IsNull() });
  }

  /** Returns whether the user has such a notification. */
  async markRead(userId: string, id: string, now: Date): Promise<boolean> {
    const { affected } = await this.notifications.update({ id, userId, readAt: IsNull() }, { readAt: now });
    return affected === 1;
  }

  /** Returns how many were affected. */
  async markAllRead(userId: string, datasetId: string | undefined, now: Date): Promise<number> {
    const { affected } = await this.notifications.update(
      { ...ofUser(userId, datasetId), readAt: IsNull() },
      { readAt: now },
    );
    return affected ?? 0;
  }

  async deleteOf(entityType: Notification['entityType'], entityId: string): Promise<void> {
    await this.notifications.delete({ entityType, entityId });
  }

  async lastPosition(): Promise<number> {
    const [row] = await this.notifications.find({
      select: { id: true, position: true },
      order: { position: 'DESC' },
      take: 1,
    });
    return Number(row?.position ?? 0);
  }

  async positionOf(userId: string, id: string): Promise<number | undefined> {
    const row = await this.notifications.findOneBy({ id, userId });
    return row === null ? undefined : Number(row.position);
  }

  /** All later notifications, or those within a scope, ordered by position. */
  async after(position: number, limit: number, scope?: StreamScope): Promise<Notification[]> {
    const within = scope === undefined ? {} : ofUser(scope.userId, scope.datasetId);
    const rows = await this.notifications.find({
      where: { ...within, position: MoreThan(String(position)) },
      order: { position: 'ASC' },
      take: limit,
    });
    return rows.map(toNotification);
  }
}
