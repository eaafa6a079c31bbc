import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/config/failpoint';
import { PermanentJobError } from '../../../common/jobs/job-errors';
import type { JobAttempt } from '../../../common/jobs/job-handler';
import { MediaTableStore } from '../../../common/media-table/media-table-store';
import type { ObjectStore } from '../../../common/storage/object-store';
import { OBJECT_STORE } from '../../../common/storage/storage.module';
import {
  DatasetRepository,
  returnTo,
  type Dataset,
  type DatasetEvent,
  type DatasetPointer,
  type PublishedTable,
} from '../../datasets';
import { TaskLedger } from '../../tasks';
import { ArrivedBatches } from '../arrived-batches';
import type { GrowthParameters } from '../domain/growth-task';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import { workPrefix } from './file-list';
import type { GrowingDataset } from './growing-dataset';
import type { IndexingRun } from './indexing-run';

export interface GrowthPayload {
  readonly datasetId: string;
  readonly taskId: string;
}

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
export class GrowthOperation {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly tables: MediaTableStore,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly arrivals: ArrivedBatches,
  ) {}

  async open<Parameters extends GrowthParameters>({
    datasetId,
    taskId,
  }: GrowthPayload): Promise<GrowingDataset<Parameters>> {
    const [dataset, task] = [await this.datasets.find(datasetId), await this.tasks.find(taskId)];
    if (dataset === undefined || task === undefined) throw new PermanentJobError('The dataset was deleted');
    const { pointer } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    return {
      dataset,
      pointer,
      table: await this.tables.open(pointer),
      task,
      parameters: task.parameters as Parameters,
    };
  }

  /** From here on the dataset is being indexed; a run that goes on finds that said already. */
  async beginClustering({ datasetId, taskId, context }: IndexingRun): Promise<void> {
    await context.commit(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertWorkedBy(taskId, context.runId);
      if (dataset.status !== 'INDEXING') await this.datasets.applyEvent(dataset, 'clustering-started');
    });
    failpoint('clustering-started');
  }

  /** The flip. It is refused when the dataset no longer points at what the table was built on. */
  async publish(
    run: IndexingRun,
    { pointer }: GrowingDataset,
    table: PublishedTable,
    event: DatasetEvent,
    ending: Ending,
  ): Promise<void> {
    await this.complete(run, ending, async (dataset) => {
      if (!isSame(dataset.pointer, pointer)) throw new PermanentJobError('The dataset has changed meanwhile');
      await this.datasets.publish(dataset.id, table);
      await this.datasets.applyEvent(dataset, event, { progress: 100, fatalErrorMessage: null });
      if (ending.bringsMedia === true) await this.arrivals.tell({ datasetId: dataset.id, batchId: run.batchId });
    });
  }

  /** There was nothing to do: the dataset is again as it was. */
  async giveBack(run: IndexingRun, { parameters }: GrowingDataset, ending: Ending): Promise<void> {
    await this.complete(run, ending, (dataset) =>
      this.datasets.applyEvent(dataset, returnTo(parameters.previousStatus), { progress: 100 }),
    );
  }

  /** In the transaction that records the final failure: nothing of the operation is to be seen. */
  async fail(
    { datasetId, taskId }: GrowthPayload,
    error: Error,
    { runId }: JobAttempt,
    also = NOTHING_ELSE,
  ): Promise<void> {
    const dataset = await this.datasets.lock(datasetId);
    if (!(await this.tasks.fail(taskId, runId, error.message))) return;
    const { previousStatus } = (await this.tasks.lock(taskId)).parameters as GrowthParameters;
    await this.datasets.applyEvent(dataset, returnTo(previousStatus), { progress: 100 });
    await this.journal.clear(taskId);
    await also();
  }

  private async complete(
    { datasetId, taskId, context }: IndexingRun,
    { warnings, also = NOTHING_ELSE }: Ending,
    change: (dataset: Dataset) => Promise<void>,
  ): Promise<void> {
    await context.complete(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertWorkedBy(taskId, context.runId);
      await change(dataset);
      await this.tasks.complete(taskId, { warnings, quarantined: await this.quarantine.countOfTask(taskId) });
      await this.journal.clear(taskId);
      await also();
      failpoint('before-flip');
    });
    failpoint('after-flip');
    await this.store.deletePrefix(workPrefix(taskId));
  }
}

const isSame = (a: DatasetPointer | null, b: DatasetPointer): boolean =>
  a !== null && a.generation === b.generation && a.version === b.version && a.tagsFile === b.tagsFile;
