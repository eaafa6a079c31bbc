import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SourceType } from '../domain/dataset';
import type { DatasetStatus } from '../domain/dataset-status';
import type { GrantedRole } from '../domain/dataset-role';
import { ShownVersionColumns } from './version.columns';

@Entity('dataset_member')
export class DatasetMemberEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @Index()
  @PrimaryColumn('uuid')
  userId!: string;

  @Column('text')
  role!: GrantedRole;

  @Column('timestamptz')
  createdAt!: Date;
}

@Entity('dataset')
export class DatasetEntity extends ShownVersionColumns {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  workspaceId!: string;

  @Index()
  @Column('uuid')
  ownerId!: string;

  @Column('text')
  displayName!: string;

  @Column('text')
  description!: string;

  @Column('text')
  sourceType!: SourceType;

  @Column('text', { nullable: true })
  sourceUri!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** Time of the last change; old drafts are swept by it. */
  @Column('timestamptz')
  touchedAt!: Date;

  @Column('text')
  statusNew!: DatasetStatus;

  @Column('integer')
  progress!: number;

  @Column('text', { nullable: true })
  fatalErrorMsg!: string | null;

  @Column('uuid', { nullable: true })
  sourceDatasetId!: string | null;

  @Column('integer', { nullable: true })
  tableVersion!: number | null;

  @Column('boolean')
  snapshotsSupported!: boolean;

  @Column('boolean', { default: false })
  labelsFromFolders!: boolean;

  @Column('uuid', { nullable: true })
  currentSnapshotId!: string | null;
}
