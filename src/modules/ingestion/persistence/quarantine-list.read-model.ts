import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { QuarantinedFile } from './quarantine.repository';
import { QuarantinedFileEntity } from './quarantined-file.entity';

@Injectable()
export class QuarantineListReadModel {
  constructor(private readonly transactions: TransactionRunner) {}

  async page(datasetId: string, skip: number, take: number): Promise<{ files: QuarantinedFile[]; total: number }> {
    const [files, total] = await this.transactions.current().findAndCount(QuarantinedFileEntity, {
      where: { datasetId },
      order: { path: 'ASC', pathHash: 'ASC' },
      skip,
      take,
    });
    return { files, total };
  }
}
