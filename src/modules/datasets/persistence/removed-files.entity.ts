import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Files that people removed from a dataset and that its source may still have, many in a row. */
@Entity('removed_files')
export class RemovedFilesEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  /** In the format of the module that compares the source. */
  @Column('bytea')
  files!: Buffer;
}
