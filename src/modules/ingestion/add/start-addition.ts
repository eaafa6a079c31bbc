import { Injectable } from '@nestjs/common';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Principal } from '../../../common/platform/http/principal';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../../datasets';
import { Settings } from '../../settings';
import { DatasetOperations, TaskLedger } from '../../tasks';
import { AddMediaDisabledError, assertModelsKnown, NeverIndexedError } from '../../tables';
import type { AddMediaParameters, Addition } from './domain/addition';
import { MEDIA_ADDITION } from './add-media.job';

const ACCEPT_ADDITIONS: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX'];

/** Starts the addition of a batch of media to an indexed dataset; a job does the work. */
@Injectable()
export class StartAddition {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly models: ModelRegistry,
  ) {}

  /** Preliminary check before the body is read, without locks: the addition may still be refused later. */
  async assertPossible(datasetId: string): Promise<void> {
    await this.assertAccepting(await this.datasets.get(datasetId));
  }

  /** Joins the transaction of its caller, who has locked the dataset. */
  async start(dataset: Dataset, batch: Addition, caller: Principal): Promise<void> {
    await this.assertAccepting(dataset);
    const parameters: AddMediaParameters = { ...batch, previousStatus: dataset.status };
    await this.operations.start(MEDIA_ADDITION, dataset, caller.email, parameters);
  }

  private async assertAccepting({ id, status, pointer }: Dataset): Promise<void> {
    if (!this.settings.isOn('ADD_MEDIA_ENABLED')) throw new AddMediaDisabledError();
    await this.tasks.assertNotBlocked('add_media', id);
    if (pointer === null) throw new NeverIndexedError(id);
    if (!ACCEPT_ADDITIONS.includes(status)) throw new DatasetStatusError('add_media', status, ACCEPT_ADDITIONS);
    await assertModelsKnown(this.models, pointer);
  }
}
