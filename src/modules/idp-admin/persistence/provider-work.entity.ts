import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('provider_work')
export class ProviderWorkEntity {
  @PrimaryColumn('text')
  subject!: string;

  @Column('uuid')
  token!: string;

  @Column('text', { nullable: true })
  adminRoles!: 'grant' | 'revoke' | null;

  @Column('boolean')
  logout!: boolean;

  @Column('boolean')
  deletion!: boolean;

  @Column('uuid', { nullable: true })
  heirId!: string | null;

  @Column('integer')
  failures!: number;

  @Column('text', { nullable: true })
  lastError!: string | null;

  @Index()
  @Column('timestamptz')
  dueAt!: Date;
}
