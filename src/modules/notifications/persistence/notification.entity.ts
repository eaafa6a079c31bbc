import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

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
  entityType!: 'saved_view';

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
