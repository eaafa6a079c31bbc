import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RowError } from '../domain/metadata-import';

/** The values of one field that are sent after it was declared. */
@Entity('metadata_import')
export class MetadataImportEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  fieldName!: string;

  /** Of the values that were sent last; null before the first. */
  @Column('uuid', { nullable: true })
  taskId!: string | null;

  @Column('int')
  insertedRows!: number;

  @Column('int')
  errorCount!: number;

  /** The first of the errors. */
  @Column('jsonb')
  sampleErrors!: RowError[];
}
