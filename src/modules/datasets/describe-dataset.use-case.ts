import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import type { Dataset } from './domain/dataset';
import { DatasetRepository } from './persistence/dataset.repository';
import { DatasetWriter } from './persistence/dataset.writer';

/** Absent ones stay as they are. */
export interface DatasetWords {
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
