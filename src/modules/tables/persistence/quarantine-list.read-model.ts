import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { QuarantinedFileEntity, type QuarantinedFile } from './quarantine.repository';

@Injectable()
export class QuarantineListReadModel {
  constructor(
    @InjectRepository(QuarantinedFileEntity) private readonly quarantined: Repository<QuarantinedFileEntity>,
  ) {}

  async page(datasetId: string, skip: number, take: number): Promise<{ files: QuarantinedFile[]; total: number }> {
    const [files, total] = await this.quarantined.findAndCount({
      where: { datasetId },
      order: { path: 'ASC', pathHash: 'ASC' },
      skip,
      take,
    });
    return { files, total };
  }
}
