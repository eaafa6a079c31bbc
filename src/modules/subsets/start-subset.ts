import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { DatasetReader, DatasetStatusError, isSamePointer, type Dataset, type DatasetStatus } from '../datasets';
import { DatasetOperations, TaskLedger, type StoppableOperation } from '../tasks';
import { ChosenRows, type ChosenMedia, type Keeping, DatasetBusyError } from './chosen-rows';
import { chosenRowsKey, type KeptRows } from './jobs/keep-rows.job';

const ALLOWED: readonly DatasetStatus[] = ['READY'];

/** Optimistic retries: tags and decisions may change while the rows are found. */
const MOST_TRIES = 5;

export interface SubsetRequest {
  readonly operation: 'copy_dataset' | 'remove_media';
  readonly type: StoppableOperation<KeptRows>;
  readonly chosen: ChosenMedia;
  readonly keeping: Keeping;
  /** E-mail address. */
  readonly createdBy: string;
}

/** Writes rows before the operation starts, in its transaction. */
interface Prepared<T> {
  readonly copy?: Dataset;
  readonly result: T;
}

export interface StartedSubset<T> {
  readonly taskId: string;
  readonly result: T;
}

/** Finds the rows that people chose, and starts the job that keeps some of the rows. */
@Injectable()
export class StartSubset {
  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly chosenRows: ChosenRows,
  ) {}

  async start<T>(
    datasetId: string,
    request: SubsetRequest,
    prepare: (dataset: Dataset, rows: number) => Promise<Prepared<T>>,
  ): Promise<StartedSubset<T>> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const started = await this.tryToStart(datasetId, request, prepare);
      if (started !== undefined) return started;
    }
    throw new DatasetBusyError();
  }

  /** Undefined if the dataset was changed while the rows were found. */
  private async tryToStart<T>(
    datasetId: string,
    { operation, type, chosen, keeping, createdBy }: SubsetRequest,
    prepare: (dataset: Dataset, rows: number) => Promise<Prepared<T>>,
  ): Promise<StartedSubset<T> | undefined> {
    const pointer = await this.assertPossible(operation, await this.datasets.get(datasetId));
    const rows = await this.chosenRows.resolve(datasetId, pointer, chosen, keeping);
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      if (!isSamePointer(await this.assertPossible(operation, dataset), pointer)) return undefined;
      const { copy, result } = await prepare(dataset, rows.size);
      const parameters: KeptRows = {
        copyId: copy?.id ?? null,
        base: { generation: pointer.generation, version: pointer.version },
        keeping,
      };
      const { id } = await this.operations.start(type, dataset, createdBy, parameters, copy && { copy });
      // The job begins when this transaction ends; if it fails, a sweep removes the stored selection.
      await this.store.put(chosenRowsKey(id), rows.toBytes());
      return { taskId: id, result };
    });
  }

  private async assertPossible(operation: SubsetRequest['operation'], { id, status, pointer }: Dataset) {
    await this.tasks.assertNotBlocked(operation, id);
    if (!ALLOWED.includes(status) || pointer === null) throw new DatasetStatusError(operation, status, ALLOWED);
    return pointer;
  }
}
