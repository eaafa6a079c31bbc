import { Inject, Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { JobAttempt } from '../../../common/platform/jobs/job-handler';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { isSamePointer, returnTo, type Dataset, type DatasetEvent, type PublishedTable } from '../../datasets';
import { DatasetOperations, type OperationPayload, type OperationType, type Outcome } from '../../tasks';
import { AddedBatches } from './added-batches';
import type { UpdateParameters } from './domain/update-parameters';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import { workPrefix } from '../indexing/file-list';
import type { DatasetUpdate } from './dataset-update';
import type { IndexingRun } from '../indexing/indexing-run';

/** Joins the transaction that ends the operation. */
type AlsoAtTheEnd = () => Promise<void>;
const NOTHING_ELSE: AlsoAtTheEnd = () => Promise.resolve();

interface Ending {
  readonly warnings: readonly string[];
  readonly also?: AlsoAtTheEnd;
  /** Whether media came with the batch of the run. */
  readonly bringsMedia?: boolean;
}

/** How an operation on an indexed dataset begins and ends: one commit shows all that it did, or the dataset is as before. */
@Injectable()
export class UpdateOperation {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly addedBatches: AddedBatches,
  ) {}

  async open<Parameters extends UpdateParameters>(
    type: OperationType<Parameters>,
    run: IndexingRun,
  ): Promise<DatasetUpdate<Parameters>> {
    const { dataset, task, parameters } = await this.operations.open(type, run);
    const { pointer } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    return { dataset, pointer, table: await this.tables.open(pointer), task, parameters };
  }

  /** The flip. It is refused when the dataset no longer points at what the table was built on. */
  async publish(
    run: IndexingRun,
    { pointer }: DatasetUpdate,
    table: PublishedTable,
    event: DatasetEvent,
    ending: Ending,
  ): Promise<void> {
    await this.complete(run, ending, (dataset) => {
      if (dataset.pointer === null || !isSamePointer(dataset.pointer, pointer))
        throw new PermanentJobError('The dataset has changed meanwhile');
      return { event, publishes: { table } };
    });
  }

  /** There was nothing to do: the dataset is again as it was. */
  async giveBack(run: IndexingRun, { parameters }: DatasetUpdate, ending: Ending): Promise<void> {
    await this.complete(run, ending, () => ({ event: returnTo(parameters.previousStatus) }));
  }

  /** In the transaction that records the final failure: nothing of the operation is to be seen. */
  async fail<Parameters extends UpdateParameters>(
    type: OperationType<Parameters>,
    payload: OperationPayload,
    error: Error,
    attempt: JobAttempt,
    also = NOTHING_ELSE,
  ): Promise<void> {
    if (!(await this.operations.fail(type, payload, error, attempt))) return;
    await this.journal.clear(payload.taskId);
    await also();
  }

  private async complete(
    run: IndexingRun,
    { warnings, bringsMedia = false, also = NOTHING_ELSE }: Ending,
    changeOf: (dataset: Dataset) => Pick<Outcome, 'event' | 'publishes'>,
  ): Promise<void> {
    const { datasetId, taskId, batchId } = run;
    await this.operations.complete(run, async (dataset) => ({
      ...changeOf(dataset),
      warnings,
      quarantined: await this.quarantine.countOfTask(taskId),
      afterwards: async () => {
        if (bringsMedia) await this.addedBatches.tell({ datasetId, batchId });
        await this.journal.clear(taskId);
        await also();
      },
    }));
    await this.store.deletePrefix(workPrefix(taskId));
  }
}
