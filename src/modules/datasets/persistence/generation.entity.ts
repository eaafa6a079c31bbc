import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A Lance table directory. It outlives the dataset that made it for as long as anything points into it. */
@Entity('generation')
export class GenerationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** The task that writes it; cleared once it is published. */
  @Index()
  @Column('uuid', { nullable: true })
  writerTaskId!: string | null;

  /** The one dataset that may add rows at its head; the others that point into it copy it first. */
  @Column('uuid')
  ownerDatasetId!: string;

  @Column('uuid')
  clusteringId!: string;

  @Column('text')
  modelId!: string;

  /** Describes the captions. */
  @Column('text')
  textModelId!: string;

  @Column('real', { array: true })
  ladder!: number[];

  /** Of the published table; 0 until then. */
  @Column('integer')
  tableRows!: number;

  @Column('bigint')
  tableBytes!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points into it; dropped once readers that opened it before are done. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}
