import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError } from '../../datasets';
import { Settings } from '../../settings';
import { DatasetOperations } from '../../tasks';
import { chooseModels } from '../../tables';
import { EmptyTransactionError, TransactionProcessedError } from '../uploads/domain/upload-errors';
import { DATASET_CREATION } from './index-dataset.job';
import { UploadRepository } from '../persistence/upload.repository';

@Injectable()
export class ProcessUploadUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly uploads: UploadRepository,
    private readonly operations: DatasetOperations,
  ) {}

  async process(
    datasetId: string,
    transactionId: number,
    caller: Principal,
    { labelsFromFolders }: { readonly labelsFromFolders: boolean },
  ): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const upload = await this.uploads.lock(datasetId, transactionId);
      if (upload.processedAt !== null) throw new TransactionProcessedError(transactionId);
      if (dataset.status !== 'DRAFT') throw new DatasetStatusError('process_files', dataset.status, ['DRAFT']);
      if (!(await this.uploads.hasFiles(transactionId))) throw new EmptyTransactionError(transactionId);
      await this.uploads.markProcessed(transactionId);
      const parameters = { ...chooseModels(this.settings), labelsFromFolders };
      await this.operations.start(DATASET_CREATION, dataset, caller.email, parameters);
    });
  }
}
