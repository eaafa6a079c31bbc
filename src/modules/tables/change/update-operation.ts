import { Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { JobAttempt } from '../../../common/platform/jobs/job-handler';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { isSamePointer, returnTo, type Dataset, type DatasetEvent, type PublishedTable } from '../../datasets';
import { DatasetOperations, type OperationPayload, type OperationType, type Outcome } from '../../tasks';
import { AddedBatches } from './added-batches';
import { BatchModels } from './batch-models';
import type { UpdateParameters } from './domain/update-parameters';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import type { DatasetUpdate } from './dataset-update';
import type { IndexingRun } from '../runs/indexing-run';

/** Runs in the transaction that ends the operation. */
type FinalStep = () => Promise<void>;
const NO_FINAL_STEP: FinalStep = () => Promise.resolve();

interface Ending {
  readonly warnings: readonly string[];
  readonly finalStep?: FinalStep;
  /** Whether the batch of the run added media. */
  readonly addsMedia?: boolean;
}

/** Starts and ends operations on an indexed dataset. The result is published in one commit, or the dataset stays as it was. */
@Injectable()
export class UpdateOperation {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly addedBatches: AddedBatches,
    private readonly models: BatchModels,
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

  /** Publishes the table. Fails if the pointer has changed since the table was built. */
  async publish(
    run: IndexingRun,
    { pointer }: DatasetUpdate,
    table: PublishedTable,
    event: DatasetEvent,
    ending: Ending,
  ): Promise<void> {
    await this.complete(run, ending, (dataset) => {
      if (dataset.pointer === null || !isSamePointer(dataset.pointer, pointer))
        throw new PermanentJobError(
          'The dataset was changed by another operation while this one was running. Start it again.',
        );
      return { event, publishes: { table } };
    });
  }

  /** Ends an operation that had nothing to do; the dataset returns to its previous status. */
  async endUnchanged(run: IndexingRun, { parameters }: DatasetUpdate, ending: Ending): Promise<void> {
    await this.complete(run, ending, () => ({ event: returnTo(parameters.previousStatus) }));
  }

  /** Runs in the transaction that records the final failure; nothing of the operation stays visible. */
  async fail<Parameters extends UpdateParameters>(
    type: OperationType<Parameters>,
    payload: OperationPayload,
    error: Error,
    attempt: JobAttempt,
    finalStep = NO_FINAL_STEP,
  ): Promise<void> {
    const quarantined = await this.quarantine.countOfTask(payload.taskId);
    if (!(await this.operations.fail(type, payload, error, attempt, quarantined))) return;
    await this.forget(payload.taskId);
    await finalStep();
  }

  private async complete(
    run: IndexingRun,
    { warnings, addsMedia = false, finalStep = NO_FINAL_STEP }: Ending,
    changeOf: (dataset: Dataset) => Pick<Outcome, 'event' | 'publishes'>,
  ): Promise<void> {
    const { datasetId, taskId, batchId } = run;
    await this.operations.complete(run, async (dataset) => ({
      ...changeOf(dataset),
      warnings,
      quarantined: await this.quarantine.countOfTask(taskId),
      afterwards: async () => {
        if (addsMedia) await this.addedBatches.notify({ datasetId, batchId });
        await this.forget(taskId);
        await finalStep();
      },
    }));
  }

  private async forget(taskId: string): Promise<void> {
    await this.journal.clear(taskId);
    await this.models.enrichment.forget(taskId);
  }
}
