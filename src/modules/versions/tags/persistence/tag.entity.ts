import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The id is unique within a dataset only: clones share files that refer to tags by id. */
@Entity('tag')
@Index(['datasetId', 'nameKey'], { unique: true })
export class TagEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Unique key of the name within the dataset. */
  @Column('text')
  nameKey!: string;

  @Column('uuid')
  createdBy!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
