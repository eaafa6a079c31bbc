import { Injectable } from '@nestjs/common';
import type { Dataset } from './domain/dataset';
import { DatasetWriter } from './persistence/dataset.writer';
import { MetadataFieldRepository } from './persistence/metadata-field.repository';
import { RemovedFilesRepository } from './persistence/removed-files.repository';

@Injectable()
export class DatasetCopies {
  constructor(
    private readonly datasets: DatasetWriter,
    private readonly fields: MetadataFieldRepository,
    private readonly removedFiles: RemovedFilesRepository,
  ) {}

  /** Inserts the copy with the declared fields of the source, and with what was removed from it. */
  async insert(source: Dataset, copy: Dataset): Promise<void> {
    await this.datasets.insert(copy);
    await this.fields.copy(source.id, copy.id);
    await this.removedFiles.copy(source.id, copy.id);
  }
}
