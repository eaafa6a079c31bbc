import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { MetadataImport } from '../domain/metadata-import';
import { MetadataImportEntity } from './metadata-import.entity';

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
