import { Injectable } from '@nestjs/common';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../../datasets';
import { Settings } from '../../settings';
import { DatasetOperations, TaskLedger } from '../../tasks';
import type { Addition } from './domain/addition';
import { AddMediaDisabledError, assertModelsKnown, NeverIndexedError } from '../../tables';
import type { AddMediaParameters } from './domain/addition';
import { MEDIA_ADDITION } from './add-media.job';

const ACCEPT_ADDITIONS: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

/** Starts the addition of a batch of media to an indexed dataset; a job does the work. */
@Injectable()
export class AddMediaUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly models: ModelRegistry,
  ) {}

  /** Preliminary check before the body is read, without locks: the addition may still be refused later. */
  async assertPossible(datasetId: string): Promise<void> {
    await this.assertAccepting(await this.datasets.get(datasetId));
  }

  /** `inTransaction` runs in the transaction that starts the operation; if it throws, all is rolled back. */
  async start(
    datasetId: string,
    batch: Addition,
    caller: Principal,
    inTransaction: (taskId: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.assertAccepting(dataset);
      const parameters: AddMediaParameters = { ...batch, previousStatus: dataset.status };
      const { id: taskId } = await this.operations.start(MEDIA_ADDITION, dataset, caller.email, parameters);
      await inTransaction(taskId);
    });
  }

  private async assertAccepting({ id, status, pointer }: Dataset): Promise<void> {
    if (!this.settings.isOn('ADD_MEDIA_ENABLED')) throw new AddMediaDisabledError();
    await this.tasks.assertNotBlocked('add_media', id);
    if (pointer === null) throw new NeverIndexedError(id);
    if (!ACCEPT_ADDITIONS.includes(status)) throw new DatasetStatusError('add_media', status, ACCEPT_ADDITIONS);
    await assertModelsKnown(this.models, pointer);
  }
}
