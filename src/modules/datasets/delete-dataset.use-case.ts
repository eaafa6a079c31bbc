import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Settings } from '../settings';
import { DatasetReader } from './dataset.reader';
import { DatasetDeletionDisabledError } from './domain/dataset-status';
import { DatasetWriter } from './persistence/dataset.writer';
import type { Dataset } from './domain/dataset';
import { DatasetRepository } from './persistence/dataset.repository';

/** Absent ones stay as they are. */
interface DatasetWords {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

/** Changes the name and the description of a dataset, whatever its status. */
@Injectable()
export class DescribeDatasetUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly writer: DatasetWriter,
    private readonly audit: AuditLog,
  ) {}

  describe(datasetId: string, words: DatasetWords, by: Principal): Promise<Dataset> {
    return this.transactions.run(async () => {
      const before = await this.datasets.lock(datasetId);
      const { displayName = before.displayName, description = before.description } = words;
      if (displayName === before.displayName && description === before.description) return before;
      await this.writer.describe(datasetId, { displayName, description });
      const details = { name: before.displayName, new_name: displayName, description };
      await this.audit.recordBy(by, 'dataset_described', datasetId, details);
      return { ...before, displayName, description };
    });
  }
}

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
