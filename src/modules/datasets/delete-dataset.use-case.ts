import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Settings } from '../settings';
import { DatasetReader } from './dataset.reader';
import { DatasetDeletionDisabledError } from './domain/dataset-errors';
import { DatasetWriter } from './persistence/dataset.writer';

/** Throws if the dataset is in use. Called in the transaction that deletes it, with the dataset locked. */
type DeletionCheck = (datasetId: string) => Promise<void>;

/** Deletes the dataset's rows in Postgres at once; its files are deleted by the next sweeps. */
@Injectable()
export class DeleteDatasetUseCase {
  private readonly checks: DeletionCheck[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly audit: AuditLog,
  ) {}

  checkFirst(check: DeletionCheck): void {
    this.checks.push(check);
  }

  async delete(datasetId: string, by: Principal): Promise<void> {
    if (!this.settings.isOn('DELETE_DATASET_ENABLED')) throw new DatasetDeletionDisabledError();
    await this.transactions.run(async () => {
      const { displayName } = await this.datasets.lock(datasetId);
      for (const check of this.checks) await check(datasetId);
      await this.writer.delete(datasetId);
      await this.audit.recordBy(by, 'dataset_deleted', datasetId, { name: displayName });
    });
  }
}
