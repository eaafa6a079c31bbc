import { Injectable } from '@nestjs/common';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../../datasets';
import { Settings } from '../../settings';
import { DatasetOperations, TaskLedger } from '../../tasks';
import { AddMediaDisabledError, assertModelsKnown, NeverIndexedError } from '../../tables';
import { SYNCHRONISATION } from './sync-dataset.job';
import { NoSourceToSyncError, type SyncParameters } from './own-batches';

const SYNCABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

/** Starts the synchronisation of a dataset with its folder, bucket or manifest; a job does the work. */
@Injectable()
export class SyncDatasetUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly models: ModelRegistry,
  ) {}

  /** Returns the id of the task. */
  start(datasetId: string, prune: boolean, caller: Principal): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.assertSyncable(dataset);
      const parameters: SyncParameters = { source: { kind: 'sync', prune }, previousStatus: dataset.status };
      return (await this.operations.start(SYNCHRONISATION, dataset, caller.email, parameters)).id;
    });
  }

  private async assertSyncable({ id, status, pointer, sourceUri }: Dataset): Promise<void> {
    if (!this.settings.isOn('ADD_MEDIA_ENABLED')) throw new AddMediaDisabledError();
    if (sourceUri === null) throw new NoSourceToSyncError(id);
    await this.tasks.assertNotBlocked('sync', id);
    if (pointer === null) throw new NeverIndexedError(id);
    if (!SYNCABLE.includes(status)) throw new DatasetStatusError('sync', status, SYNCABLE);
    await assertModelsKnown(this.models, pointer);
  }
}
