import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Ids are unique within a dataset only: a clone has those of its source. Media are named by their ids, which a reindex keeps. */
@Entity('duplicate_decision')
@Index(['datasetId', 'id'], { unique: true })
@Index(['datasetId', 'revision', 'number'])
@Index(['datasetId', 'batchId'])
export class DuplicateDecisionEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('integer')
  number!: number;

  @Column('uuid')
  id!: string;

  @Column('uuid')
  batchId!: string;

  @Column('uuid', { array: true })
  kept!: string[];

  @Column('uuid', { array: true })
  removed!: string[];

  @Column('uuid', { nullable: true })
  tagId!: string | null;

  @Column('text')
  decidedBy!: string;

  @Column('timestamptz')
  decidedAt!: Date;

  /** Undone decisions stay as rows, so that readers that have them in memory notice. */
  @Column('timestamptz', { nullable: true })
  undoneAt!: Date | null;

  /** Grows with each change within the dataset: readers ask for newer ones. */
  @Column('integer')
  revision!: number;
}
