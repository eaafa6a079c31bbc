import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditedAction } from '../domain/audit-entry';

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
