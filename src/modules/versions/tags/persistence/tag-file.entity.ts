import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file of tag assignments. It is kept as long as any dataset, snapshot or export points to it. */
@Entity('tag_file')
export class TagFileEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points to it; deleted after a grace period for readers. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}
