import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetDeletionDisabledError, DatasetReader, DatasetWriter } from '../datasets';
import { Settings } from '../settings';
import { TaskLedger } from '../tasks';

/** Everything that Postgres knows of the dataset goes at once; its files go with the next sweeps. */
@Injectable()
export class DeleteDatasetUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly tasks: TaskLedger,
    private readonly audit: AuditLog,
  ) {}

  async delete(datasetId: string, by: Principal): Promise<void> {
    if (!this.settings.isOn('DELETE_DATASET_ENABLED')) throw new DatasetDeletionDisabledError();
    await this.transactions.run(async () => {
      const { displayName } = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('delete_dataset', datasetId);
      await this.writer.delete(datasetId);
      await this.audit.recordBy(by, 'dataset_deleted', datasetId, { name: displayName });
    });
  }
}
