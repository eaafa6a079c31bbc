import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { DatasetRepository, DatasetStatusError } from '../datasets';
import { EmptyTransactionError, TransactionProcessedError } from './domain/ingestion-errors';
import { UploadRepository } from './persistence/upload.repository';
import { StartIndexingUseCase } from './start-indexing.use-case';

@Injectable()
export class ProcessUploadUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly uploads: UploadRepository,
    private readonly indexing: StartIndexingUseCase,
  ) {}

  async process(datasetId: string, transactionId: number, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const upload = await this.uploads.lock(datasetId, transactionId);
      if (upload.processedAt !== null) throw new TransactionProcessedError(transactionId);
      if (dataset.status !== 'DRAFT') throw new DatasetStatusError('process_files', dataset.status, ['DRAFT']);
      if (!(await this.uploads.hasFiles(transactionId))) throw new EmptyTransactionError(transactionId);
      await this.uploads.markProcessed(transactionId);
      await this.datasets.applyEvent(dataset, 'indexing-started', { progress: 0 });
      await this.indexing.start(dataset, caller.email);
    });
  }
}
