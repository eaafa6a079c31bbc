import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { DatasetReader, type Dataset, type PublishedTable } from '../../datasets';
import { TakeSnapshot } from '../../snapshots/records';
import {
  DatasetOperations,
  TaskLedger,
  toError,
  UsersMayStop,
  type OperationPayload,
  type StoppableOperation,
} from '../../tasks';
import { BatchSources } from '../sources/batch-sources';
import {
  BuildTableStep,
  chosenModels,
  ChunkJournalRepository,
  type IndexingRun,
  IngestFilesStep,
  modelsChosen,
  ProgressReporter,
  QuarantineRepository,
  TaskRunner,
} from '../../tables';

export const INDEX_DATASET = defineJob<OperationPayload>('index-dataset', { concurrency: 4 });

const creationParameters = chosenModels.extend({
  /** Whether images and frames are labelled with the name of the folder that their file lies in. */
  labelsFromFolders: z.boolean().default(false),
});

export const DATASET_CREATION: StoppableOperation<z.infer<typeof creationParameters>> = {
  task: 'DATASET_CREATION',
  job: INDEX_DATASET,
  parameters: creationParameters,
  begun: 'indexing-started',
  failed: toError,
  // Keep the uploaded files.
  stoppable: { aborted: 'indexing-aborted', retried: 'indexing-retried' },
};

/** First indexing of a dataset: lists, analyses, compares and writes the media, then publishes the table in one commit. */
@JobHandler(INDEX_DATASET)
@UsersMayStop(DATASET_CREATION)
@Injectable()
export class IndexDatasetJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly datasets: DatasetReader,
    private readonly takeSnapshot: TakeSnapshot,
    private readonly tasks: TaskLedger,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly sources: BatchSources,
    private readonly models: ModelRegistry,
    private readonly ingestFiles: IngestFilesStep,
    private readonly buildTable: BuildTableStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.index(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    const quarantined = await this.quarantine.countOfTask(payload.taskId);
    await this.operations.fail(DATASET_CREATION, payload, error, attempt, quarantined);
  }

  private async index(run: IndexingRun): Promise<void> {
    const progress = new ProgressReporter(this.operations, run);
    const { dataset, parameters } = await this.operations.open(DATASET_CREATION, run);
    const models = modelsChosen(this.models, parameters);
    const source = await this.sources.ofNew(dataset);
    const list = (key: string) => this.sources.list(source, key, run.context.signal);
    const { rows, warnings } = await this.ingestFiles.run(run, list, models.modelId, progress, parameters);
    const table = await this.buildTable.build(run, rows, models, (phase, part) => {
      if (phase === 'comparing') progress.report(80 + 14 * part, 'Comparing media');
      else progress.report(94 + 5 * part, 'Writing the table');
    });
    await progress.settle();
    await this.publish(run, table, warnings);
  }

  private async publish(run: IndexingRun, table: PublishedTable, warnings: readonly string[]): Promise<void> {
    const { taskId } = run;
    await this.operations.complete(run, async (dataset) => ({
      event: 'indexing-completed',
      publishes: { table },
      warnings,
      quarantined: await this.quarantine.countOfTask(taskId),
      afterwards: async () => {
        await this.journal.clear(taskId);
        if (dataset.snapshotsSupported) await this.keepCreation(dataset, taskId);
      },
    }));
  }

  /** Makes the first snapshot, of the state after creation. The dataset must be locked and its table published. */
  private async keepCreation({ id }: Dataset, taskId: string): Promise<void> {
    const { createdBy } = await this.tasks.lock(taskId);
    await this.takeSnapshot.of(await this.datasets.get(id), { reason: 'creation', createdBy, tags: [] });
  }
}
