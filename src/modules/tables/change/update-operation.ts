import { Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { JobAttempt } from '../../../common/platform/jobs/job-handler';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import {
  isSamePointer,
  returnTo,
  type Dataset,
  type DatasetEvent,
  type PublishedTable,
  type DatasetPointer,
} from '../../datasets';
import { DatasetOperations, type OperationPayload, type OperationType, type Outcome, type Task } from '../../tasks';
import { assertModelsThere } from '../build/table-models';
import type { RowSource } from '../rows/row-source';
import type { UpdateParameters } from './domain/update-parameters';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import type { IndexingRun } from '../runs/task-runner';
import type { MediaTable } from '../../../common/engine/media-table/media-table';

/** A dataset during an addition, sync or reindex. No other operation changes its pointer meanwhile. */
export interface DatasetUpdate<Parameters extends UpdateParameters = UpdateParameters> {
  readonly dataset: Dataset;
  readonly pointer: DatasetPointer;
  /** Opened at the pointer. */
  readonly table: MediaTable;
  readonly task: Task;
  readonly parameters: Parameters;
}

export interface EnrichedBatch {
  readonly rows: RowSource;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

/** Applies the models of a dataset to new media. */
export interface BatchEnrichment {
  /** Continues the work of an earlier run of the task. `onPart` receives the id of the model and the completed fraction. */
  enrich(
    run: IndexingRun,
    pointer: DatasetPointer,
    rows: RowSource,
    onPart: (modelId: string, part: number) => void,
  ): Promise<EnrichedBatch>;
  /** Runs in the transaction that ends the task, and before a sweep deletes the files of an ended task. */
  forget(taskId: string): Promise<void>;
}

/** Applies models to new media; registered by the module of the models. */
@Injectable()
export class BatchModels {
  private registered: BatchEnrichment | undefined;

  register(enrichment: BatchEnrichment): void {
    if (this.registered !== undefined) throw new Error('register was called twice');
    this.registered = enrichment;
  }

  get enrichment(): BatchEnrichment {
    if (this.registered === undefined) throw new Error('register was not called');
    return this.registered;
  }
}

export interface AddedBatch {
  readonly datasetId: string;
  readonly batchId: string;
}

type Listener = (batch: AddedBatch) => Promise<void>;

/** Notifies listeners of added media, in the transaction that publishes them, so that both commit or neither does. */
@Injectable()
export class AddedBatches {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(batch: AddedBatch): Promise<void> {
    for (const listener of this.listeners) await listener(batch);
  }
}

interface Ending {
  readonly warnings: readonly string[];
  /** Runs in the transaction that ends the operation. */
  readonly finalStep?: () => Promise<void>;
  /** Whether the batch of the run added media. */
  readonly addsMedia?: boolean;
}

/** Starts and ends operations on an indexed dataset. The result is published in one commit; otherwise the dataset is unchanged. */
@Injectable()
export class UpdateOperation {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly addedBatches: AddedBatches,
    private readonly models: ModelRegistry,
    private readonly batchModels: BatchModels,
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

  /** Throws if a model that new media need is missing. */
  async openToAdd<Parameters extends UpdateParameters>(
    type: OperationType<Parameters>,
    run: IndexingRun,
  ): Promise<DatasetUpdate<Parameters>> {
    const update = await this.open(type, run);
    assertModelsThere(this.models, update.pointer, update.table);
    return update;
  }

  /** Applies the models of the dataset to new media. `onPart` receives the id of the model and the completed fraction. */
  enrich(
    run: IndexingRun,
    { pointer }: DatasetUpdate,
    rows: RowSource,
    onPart: (modelId: string, part: number) => void,
  ): Promise<EnrichedBatch> {
    return this.batchModels.enrichment.enrich(run, pointer, rows, onPart);
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

  /** Ends an operation without changes. The dataset returns to its previous status. */
  async endUnchanged(run: IndexingRun, { parameters }: DatasetUpdate, ending: Ending): Promise<void> {
    await this.complete(run, ending, () => ({ event: returnTo(parameters.previousStatus) }));
  }

  /** Runs in the transaction that records the final failure, like `finalStep`. No change of the operation remains visible. */
  async fail<Parameters extends UpdateParameters>(
    type: OperationType<Parameters>,
    payload: OperationPayload,
    error: Error,
    attempt: JobAttempt,
    finalStep?: (parameters: Parameters) => Promise<void>,
  ): Promise<void> {
    const quarantined = await this.quarantine.countOfTask(payload.taskId);
    if (!(await this.operations.fail(type, payload, error, attempt, quarantined))) return;
    await this.forget(payload.taskId);
    if (finalStep !== undefined) await finalStep((await this.operations.open(type, payload)).parameters);
  }

  private async complete(
    run: IndexingRun,
    { warnings, addsMedia = false, finalStep }: Ending,
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
        await finalStep?.();
      },
    }));
  }

  private async forget(taskId: string): Promise<void> {
    await this.journal.clear(taskId);
    await this.batchModels.enrichment.forget(taskId);
  }
}
