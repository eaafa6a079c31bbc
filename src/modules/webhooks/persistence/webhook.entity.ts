import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../events';

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
