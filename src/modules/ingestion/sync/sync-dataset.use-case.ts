import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/config/configuration';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import type { Principal } from '../../../common/http/principal';
import { JobQueue } from '../../../common/jobs/job-queue';
import { DatasetRepository, DatasetStatusError, type Dataset, type DatasetStatus } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { AddMediaDisabledError, NeverIndexedError } from '../domain/growth-errors';
import { SYNC_DATASET } from './sync-dataset.job';
import { NoSourceToSyncError, type SyncParameters } from './sync-parameters';

const SYNCABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

/** Accepts that a dataset be brought up to date with the folder, bucket or manifest that it was made from; a job does it. */
@Injectable()
export class SyncDatasetUseCase {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  /** Answers the id of the task. */
  start(datasetId: string, prune: boolean, caller: Principal): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.assertSyncable(dataset);
      const parameters: SyncParameters = { source: { kind: 'sync', prune }, previousStatus: dataset.status };
      const task = await this.tasks.open({
        datasetId,
        datasetName: dataset.displayName,
        type: 'MEDIA_ADDITION',
        createdBy: caller.email,
        parameters,
      });
      await this.datasets.applyEvent(dataset, 'addition-started', { progress: 0 });
      await this.tasks.assignJob(task.id, await this.jobs.enqueue(SYNC_DATASET, { datasetId, taskId: task.id }));
      return task.id;
    });
  }

  private async assertSyncable({ id, status, pointer, sourceUri }: Dataset): Promise<void> {
    if (!this.configuration.addMediaEnabled) throw new AddMediaDisabledError();
    if (sourceUri === null) throw new NoSourceToSyncError(id);
    await this.tasks.assertNotBlocked('sync', id);
    if (pointer === null) throw new NeverIndexedError(id);
    if (!SYNCABLE.includes(status)) throw new DatasetStatusError('sync', status, SYNCABLE);
  }
}
