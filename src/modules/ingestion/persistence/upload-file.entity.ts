import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('upload_file')
export class UploadFileEntity {
  @PrimaryColumn('integer')
  transactionId!: number;

  /** The relative path given by the client, with `/`. */
  @PrimaryColumn('text')
  path!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Index()
  @Column('text')
  storeKey!: string;

  @Column('bigint')
  sizeBytes!: string;

  @Column('text')
  sha256!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
