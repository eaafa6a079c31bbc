import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/config/configuration';
import { TransactionRunner } from '../../common/database/transaction-runner';
import { DatasetDeletionDisabledError, DatasetRepository } from '../datasets';
import { TaskLedger } from '../tasks';

/** Everything that Postgres knows of the dataset goes at once; its files go with the next sweeps. */
@Injectable()
export class DeleteDatasetUseCase {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
  ) {}

  async delete(datasetId: string): Promise<void> {
    if (!this.configuration.deleteDatasetEnabled) throw new DatasetDeletionDisabledError();
    await this.transactions.run(async () => {
      await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('delete_dataset', datasetId);
      await this.datasets.delete(datasetId);
    });
  }
}
