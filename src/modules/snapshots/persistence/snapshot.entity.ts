import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { NamedTag } from '../../datasets';
import type { SnapshotReason } from '../domain/snapshot';

@Entity('snapshot')
@Index(['datasetId', 'createdAt'])
export class SnapshotEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  reason!: SnapshotReason;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  createdBy!: string;

  /** Null after deletion, so that it no longer pins a version. */
  @Index()
  @Column('uuid', { nullable: true })
  generationId!: string | null;

  @Column('integer')
  tableVersion!: number;

  @Index()
  @Column('uuid', { nullable: true })
  tagsFile!: string | null;

  @Column('jsonb')
  tags!: NamedTag[];

  @Column('integer')
  nImages!: number;

  @Column('integer')
  nVideos!: number;

  @Column('integer')
  nObjects!: number;

  @Column('integer')
  nFrames!: number;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
