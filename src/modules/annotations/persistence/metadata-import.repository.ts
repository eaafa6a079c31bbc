import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MetadataImport, RowError } from '../domain/metadata-import';

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

@Injectable()
export class MetadataImportRepository {
  constructor(@InjectRepository(MetadataImportEntity) private readonly imports: Repository<MetadataImportEntity>) {}

  async insert(made: MetadataImport): Promise<void> {
    await this.imports.insert({ ...made, sampleErrors: [...made.sampleErrors] });
  }

  async find(datasetId: string, id: string): Promise<MetadataImport | undefined> {
    return (await this.imports.findOneBy({ datasetId, id })) ?? undefined;
  }

  async update(id: string, changes: Partial<Omit<MetadataImport, 'id' | 'datasetId' | 'fieldName'>>): Promise<void> {
    const { sampleErrors, ...others } = changes;
    await this.imports.update({ id }, { ...others, ...(sampleErrors && { sampleErrors: [...sampleErrors] }) });
  }
}
