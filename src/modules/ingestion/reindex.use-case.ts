import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { JobQueue } from '../../common/jobs/job-queue';
import { DatasetRepository, DatasetStatusError, type DatasetStatus } from '../datasets';
import { TaskLedger } from '../tasks';
import type { GrowthParameters } from './domain/growth-task';
import { REINDEX } from './jobs/reindex.job';

const REINDEXABLE: readonly DatasetStatus[] = ['PARTIAL INDEX'];

/** Accepts that a dataset with added media be compared and clustered anew; a job does it. */
@Injectable()
export class ReindexUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  async start(datasetId: string, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('reindex', datasetId);
      if (!REINDEXABLE.includes(dataset.status)) throw new DatasetStatusError('reindex', dataset.status, REINDEXABLE);
      const parameters: GrowthParameters = { previousStatus: dataset.status };
      const task = await this.tasks.open({
        datasetId,
        datasetName: dataset.displayName,
        type: 'REINDEX',
        createdBy: caller.email,
        parameters,
      });
      await this.datasets.applyEvent(dataset, 'reindex-started', { progress: 0 });
      await this.tasks.assignJob(task.id, await this.jobs.enqueue(REINDEX, { datasetId, taskId: task.id }));
    });
  }
}
