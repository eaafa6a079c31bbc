import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditedAction } from '../domain/audit-entry';

@Entity('audit_entry')
export class AuditEntryEntity {
  /** Rising, so that pages hold while entries come. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

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
