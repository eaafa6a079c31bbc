import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { DatasetRepository, DatasetStatusError, type DatasetStatus } from '../datasets';
import { TaskLedger } from '../tasks';
import type { GrowthParameters } from './domain/growth-task';
import { REINDEX } from './jobs/reindex.job';
import { StartGrowthUseCase } from './start-growth.use-case';

const REINDEXABLE: readonly DatasetStatus[] = ['PARTIAL INDEX'];

/** Accepts that a dataset with added media be compared and clustered anew; a job does it. */
@Injectable()
export class ReindexUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly starting: StartGrowthUseCase,
  ) {}

  async start(datasetId: string, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('reindex', datasetId);
      if (!REINDEXABLE.includes(dataset.status)) throw new DatasetStatusError('reindex', dataset.status, REINDEXABLE);
      const parameters: GrowthParameters = { previousStatus: dataset.status };
      await this.starting.start(dataset, caller, {
        type: 'REINDEX',
        event: 'reindex-started',
        job: REINDEX,
        parameters,
      });
    });
  }
}
