import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditedAction, RecordedAuditEntry } from '../domain/audit-entry';

@Entity('audit_entry')
@Index(['action', 'id'])
@Index(['subject', 'id'])
@Index(['actorId', 'id'])
@Index(['actorEmail', 'id'])
export class AuditEntryEntity {
  /** Increases, so that pages stay stable while entries are added. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Index()
  @Column('timestamptz')
  at!: Date;

  @Column('text')
  action!: AuditedAction;

  @Column('uuid', { nullable: true })
  actorId!: string | null;

  @Column('text', { nullable: true })
  actorEmail!: string | null;

  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('jsonb')
  details!: object;
}

export interface AuditFilter {
  readonly action?: AuditedAction | undefined;
  /** A user's id or e-mail address. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** Only entries recorded before the one with this id. */
  readonly before?: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly RecordedAuditEntry[];
  readonly hasMore: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const toEntry = ({ details, ...row }: AuditEntryEntity): RecordedAuditEntry => ({ ...row, details: { ...details } });

@Injectable()
export class AuditListReadModel {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  /** Newest first. */
  async page({ action, actor, subject, from, to, before }: AuditFilter, limit: number): Promise<AuditPage> {
    const query = this.entries
      .createQueryBuilder('entry')
      .orderBy('entry.id', 'DESC')
      .take(limit + 1);
    if (action !== undefined) query.andWhere('entry.action = :action', { action });
    if (actor !== undefined)
      query.andWhere(UUID.test(actor) ? 'entry.actorId = :actor' : 'entry.actorEmail = :actor', { actor });
    if (subject !== undefined) query.andWhere('entry.subject = :subject', { subject });
    if (from !== undefined) query.andWhere('entry.at >= :from', { from });
    if (to !== undefined) query.andWhere('entry.at < :to', { to });
    if (before !== undefined) query.andWhere('entry.id < :before', { before });
    const rows = await query.getMany();
    return { entries: rows.slice(0, limit).map(toEntry), hasMore: rows.length > limit };
  }
}
