import { Inject, Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/compute/compute-pool';
import { CONFIGURATION, type Configuration } from '../../../common/config/configuration';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { failpoint } from '../../../common/config/failpoint';
import { PermanentJobError } from '../../../common/jobs/job-errors';
import { JobHandler, type JobAttempt, type JobContext, type JobRunner } from '../../../common/jobs/job-handler';
import { defineJob } from '../../../common/jobs/job-type';
import type { ObjectStore } from '../../../common/storage/object-store';
import { MediaSources } from '../../../common/storage/source-files';
import { OBJECT_STORE } from '../../../common/storage/storage.module';
import { DatasetRepository, type PublishedTable } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { readAnnotations, unknownFileWarnings, type ReadAnnotations } from '../domain/annotations/read-annotations';
import { fullStoreSentence } from '../domain/full-store';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import { UploadRepository } from '../persistence/upload.repository';
import { AnalyzeFilesStep } from './analyze-files.step';
import { BuildTableStep } from './build-table.step';
import { attemptName, readFileList, workPrefix } from './file-list';
import type { IndexingRun } from './indexing-run';
import { ListSourceStep, type ListedSource } from './list-source.step';
import { ProgressReporter } from './progress-reporter';

export interface IndexDatasetPayload {
  readonly datasetId: string;
  readonly taskId: string;
}

export const INDEX_DATASET = defineJob<IndexDatasetPayload>('index-dataset');

/** First indexing of a dataset: list, analyse, compare, write, and one commit that shows it. */
@JobHandler(INDEX_DATASET)
@Injectable()
export class IndexDatasetJob implements JobRunner<IndexDatasetPayload> {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly sources: MediaSources,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly uploads: UploadRepository,
    private readonly pool: ComputePool,
    private readonly listSource: ListSourceStep,
    private readonly analyzeFiles: AnalyzeFilesStep,
    private readonly buildTable: BuildTableStep,
  ) {}

  async run({ datasetId, taskId }: IndexDatasetPayload, context: JobContext): Promise<void> {
    // A sweep that did not see this task yet is through with it then; the next sees that a task runs, and waits.
    await this.transactions.run(() => this.uploads.holdOffSweep());
    try {
      await this.index({ datasetId, taskId, batchId: taskId, context });
    } catch (error) {
      const full = fullStoreSentence(error, this.configuration.storageUrl);
      throw full === undefined ? error : new PermanentJobError(full, { cause: error });
    }
  }

  /** The last attempt failed, or the error was of the kind that no attempt mends. */
  async failed({ datasetId, taskId }: IndexDatasetPayload, error: Error, { runId }: JobAttempt): Promise<void> {
    const dataset = await this.datasets.lock(datasetId);
    if (await this.tasks.fail(taskId, runId, error.message)) {
      await this.datasets.applyEvent(dataset, 'indexing-failed', { fatalErrorMessage: error.message });
    }
  }

  private async index(run: IndexingRun): Promise<void> {
    const { taskId } = run;
    const progress = new ProgressReporter(this.tasks, this.datasets, run);
    progress.report(0, 'Listing the source');
    this.pool.warmUp();
    const listed = await this.list(run);
    failpoint('listed');
    const { index, warnings } = await this.readAnnotations(listed);
    await this.analyzeFiles.run(run, listed, index, (done) => {
      progress.report(2 + (78 * done) / listed.files, `Analysed ${done} of ${listed.files} files`);
    });
    await this.assertSomethingReadable(taskId, listed.files);
    const table = await this.buildTable.build(run, (phase, part) => {
      if (phase === 'comparing') progress.report(80 + 14 * part, 'Comparing media');
      else progress.report(94 + 5 * part, 'Writing the table');
    });
    await progress.settle();
    await this.publish(run, table, [...listed.warnings, ...warnings]);
    await this.store.deletePrefix(workPrefix(taskId));
  }

  private async readAnnotations(listed: ListedSource): Promise<ReadAnnotations> {
    const read = await readAnnotations(
      listed.annotations.map(({ name, source, size }) => ({ name, size, open: () => this.sources.open(source) })),
    );
    if (read.index.fileCount === 0) return read;
    const unknown = await unknownFileWarnings(read.index, this.listedPaths(listed));
    return { ...read, warnings: [...read.warnings, ...unknown] };
  }

  private async *listedPaths(listed: ListedSource): AsyncGenerator<string> {
    for await (const { path } of readFileList(this.store, listed.key, 0)) yield path;
  }

  private async list(run: IndexingRun): Promise<ListedSource> {
    const kept = run.context.checkpoint<ListedSource>();
    if (kept !== null) return kept;
    const dataset = await this.datasets.find(run.datasetId);
    if (dataset === undefined) throw new PermanentJobError('The dataset was deleted');
    const key = `${workPrefix(run.taskId)}${attemptName(run.context)}-files.ndjson`;
    const listed = await this.listSource.list(dataset, key, run.context.signal);
    await run.context.commit(async () => {
      // A retried task begins anew: its source may have been mended meanwhile.
      await this.journal.clear(run.taskId);
      await this.quarantine.clear(run.taskId);
      await run.context.saveCheckpoint(listed);
    });
    return listed;
  }

  private async assertSomethingReadable(taskId: string, files: number): Promise<void> {
    const chunks = await this.journal.list(taskId);
    if (chunks.some((chunk) => chunk.images + chunk.videos > 0)) return;
    const quarantined = await this.quarantine.countOfTask(taskId);
    throw new PermanentJobError(
      files === 0
        ? 'The source holds no image or video'
        : `None of the ${files} files could be read (${quarantined} are in quarantine, each with its reason)`,
    );
  }

  private async publish(run: IndexingRun, table: PublishedTable, warnings: readonly string[]): Promise<void> {
    const { datasetId, taskId } = run;
    await run.context.complete(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertWorkedBy(taskId, run.context.runId);
      await this.datasets.publish(datasetId, table);
      await this.datasets.applyEvent(dataset, 'indexing-completed', { progress: 100, fatalErrorMessage: null });
      await this.tasks.complete(taskId, { warnings, quarantined: await this.quarantine.countOfTask(taskId) });
      await this.journal.clear(taskId);
      failpoint('before-flip');
    });
    failpoint('after-flip');
  }
}
