import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('login_session')
export class LoginSessionEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  @Index()
  @Column('uuid')
  userId!: string;

  @Index()
  @Column('text')
  subject!: string;

  @Index()
  @Column('text', { nullable: true })
  providerSid!: string | null;

  @Column('bytea', { nullable: true })
  sealedIdToken!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  lastSeenAt!: Date;

  @Column('timestamptz')
  endsAt!: Date;
}
