import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Its id is unique within its dataset only: a copy of a dataset shares the files that name tags by id. */
@Entity('tag')
@Index(['datasetId', 'nameKey'], { unique: true })
export class TagEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** What must not occur twice. */
  @Column('text')
  nameKey!: string;

  @Column('uuid')
  createdBy!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
