import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { GrantedRole } from '../domain/dataset-role';

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
