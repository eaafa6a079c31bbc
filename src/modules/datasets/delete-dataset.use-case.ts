import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Settings } from '../settings';
import { DatasetReader } from './dataset.reader';
import { DatasetDeletionDisabledError } from './domain/dataset-errors';
import { DatasetWriter } from './persistence/dataset.writer';

/** Called in the transaction that deletes the dataset, with the dataset locked. */
type DeletionStep = (datasetId: string) => Promise<void>;

/** Deletes the dataset's rows in Postgres at once; its other files are deleted by the next sweeps. */
@Injectable()
export class DeleteDatasetUseCase {
  private readonly checks: DeletionStep[] = [];
  private readonly steps: DeletionStep[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly audit: AuditLog,
  ) {}

  /** The check throws if the dataset is in use. */
  checkFirst(check: DeletionStep): void {
    this.checks.push(check);
  }

  /** The step sees to what belongs to the dataset elsewhere. */
  alongWith(step: DeletionStep): void {
    this.steps.push(step);
  }

  async delete(datasetId: string, by: Principal): Promise<void> {
    if (!this.settings.isOn('DELETE_DATASET_ENABLED')) throw new DatasetDeletionDisabledError();
    await this.transactions.run(async () => {
      const { displayName } = await this.datasets.lock(datasetId);
      for (const step of [...this.checks, ...this.steps]) await step(datasetId);
      await this.writer.delete(datasetId);
      await this.audit.recordBy(by, 'dataset_deleted', datasetId, { name: displayName });
    });
  }
}
