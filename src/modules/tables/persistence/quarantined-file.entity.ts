import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { QuarantineReason } from '../../../common/engine/compute/media-analysis';

@Entity('quarantined_file')
export class QuarantinedFileEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  /** Hashed, because a path may exceed the size limit of an index entry. */
  @PrimaryColumn('text')
  pathHash!: string;

  @Column('text')
  path!: string;

  @Column('uuid')
  taskId!: string;

  @Column('text')
  reason!: QuarantineReason;

  @Column('text')
  detail!: string;

  @Column('timestamptz')
  quarantinedAt!: Date;
}
