import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { type PublishedTable, DatasetReader, type Dataset } from '../../datasets';
import {
  DatasetOperations,
  toError,
  UsersMayStop,
  type OperationPayload,
  type StoppableOperation,
  TaskLedger,
} from '../../tasks';
import { BatchSources } from '../sources/batch-sources';
import {
  BuildTableStep,
  chosenModels,
  type IndexingRun,
  IngestFilesStep,
  modelsChosen,
  TaskRunner,
} from '../../tables';
import { TakeSnapshot } from '../../snapshots/records';

/** The first snapshot of a dataset, of the state after creation. */
@Injectable()
export class CreationSnapshot {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly takeSnapshot: TakeSnapshot,
  ) {}

  /** The dataset must be locked and its table published. */
  async take({ id, snapshotsSupported }: Dataset, taskId: string): Promise<void> {
    if (!snapshotsSupported) return;
    const { createdBy } = await this.tasks.lock(taskId);
    await this.takeSnapshot.of(await this.datasets.get(id), { reason: 'creation', createdBy, tags: [] });
  }
}

export const INDEX_DATASET = defineJob<OperationPayload>('index-dataset', { concurrency: 4 });

export const DATASET_CREATION: StoppableOperation<z.infer<typeof chosenModels>> = {
  task: 'DATASET_CREATION',
  job: INDEX_DATASET,
  parameters: chosenModels,
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
    private readonly sources: BatchSources,
    private readonly models: ModelRegistry,
    private readonly ingestFiles: IngestFilesStep,
    private readonly buildTable: BuildTableStep,
    private readonly snapshot: CreationSnapshot,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.index(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    const quarantined = await this.ingestFiles.quarantined(payload.taskId);
    await this.operations.fail(DATASET_CREATION, payload, error, attempt, quarantined);
  }

  private async index(run: IndexingRun): Promise<void> {
    const progress = this.work.progressOf(run);
    const { dataset, parameters } = await this.operations.open(DATASET_CREATION, run);
    const models = modelsChosen(this.models, parameters);
    const source = await this.sources.ofNew(dataset);
    const list = (key: string) => this.sources.list(source, key, run.context.signal);
    const { rows, warnings } = await this.ingestFiles.run(run, list, models.modelId, progress, dataset);
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
      quarantined: await this.ingestFiles.quarantined(taskId),
      afterwards: async () => {
        await this.ingestFiles.forget(taskId);
        await this.snapshot.take(dataset, taskId);
      },
    }));
  }
}
