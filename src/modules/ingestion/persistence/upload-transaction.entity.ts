import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('upload_transaction')
export class UploadTransactionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  processedAt!: Date | null;
}
