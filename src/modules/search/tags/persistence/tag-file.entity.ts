import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file of assignments; it outlives the dataset that it was made for as long as anything points at it. */
@Entity('tag_file')
export class TagFileEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points at it; dropped once readers that were told of it before are done. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}
