import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError, type DatasetStatus } from '../../datasets';
import { DatasetOperations, TaskLedger } from '../../tasks';
import { REINDEXING } from './reindex.job';

const REINDEXABLE: readonly DatasetStatus[] = ['PARTIAL INDEX'];

/** Starts the reindexing of a dataset with added media; a job does the work. */
@Injectable()
export class ReindexUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
  ) {}

  async start(datasetId: string, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('reindex', datasetId);
      if (!REINDEXABLE.includes(dataset.status)) throw new DatasetStatusError('reindex', dataset.status, REINDEXABLE);
      await this.operations.start(REINDEXING, dataset, caller.email, { previousStatus: dataset.status });
    });
  }
}
