import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { jobStep } from '../../../common/platform/jobs/job-step';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { Settings } from '../../settings';
import { toPreviousStatus, type OperationPayload, type OperationType } from '../../tasks';
import {
  batchProgress,
  type ChunkRows,
  type DatasetUpdate,
  excludeKnown,
  findReplaced,
  type IndexingRun,
  IngestFilesStep,
  ReplaceRowsStep,
  type RowSource,
  type RowsToRemove,
  TaskRunner,
  UpdateOperation,
  withDependents,
} from '../../tables';
import { CompareSourceStep, type ComparedSource } from './compare-source.step';
import { OwnBatches, syncParameters, type SyncParameters } from './own-batches';
import { missingWarnings, replacedWarnings } from './missing-files';
import { tooManyMedia } from '../sources/domain/source-location';

export const SYNC_DATASET = defineJob<OperationPayload>('sync-dataset');

export const SYNCHRONISATION: OperationType<SyncParameters> = {
  task: 'MEDIA_ADDITION',
  job: SYNC_DATASET,
  parameters: syncParameters,
  begun: 'addition-started',
  failed: toPreviousStatus,
};

type Update = DatasetUpdate<SyncParameters>;

/** The changes of the dataset's rows that follow from the source. */
interface Changes {
  readonly added: RowSource;
  readonly removed: RowsToRemove;
  readonly replaced: number;
}

/** Synchronises a dataset with its source: adds new files, replaces changed ones, and reports or removes missing ones. */
@JobHandler(SYNC_DATASET)
@Injectable()
export class SyncDatasetJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly settings: Settings,
    private readonly ownBatches: OwnBatches,
    private readonly updates: UpdateOperation,
    private readonly compareSource: CompareSourceStep,
    private readonly ingestFiles: IngestFilesStep,
    private readonly replaceRows: ReplaceRowsStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.sync(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.updates.fail(SYNCHRONISATION, payload, error, attempt);
  }

  private async sync(run: IndexingRun): Promise<void> {
    const { signal } = run.context;
    const update = await this.updates.openToAdd(SYNCHRONISATION, run);
    const { modelId } = update.pointer;
    const progress = this.work.progressOf(run);
    if (run.context.checkpoint() === null) progress.report(0, 'Comparing with the source');
    const compared = await this.ingestFiles.listOnce(run, (key) => this.compareSource.compare(update, key, signal));
    const annotations = await this.ingestFiles.readAnnotations(compared);
    const taken = await this.ingestFiles.analyse(run, compared, modelId, progress);
    const { rows } = await jobStep('exclude-known', () => excludeKnown(taken, update.table));
    failpoint('known-left-out');
    const changes = await this.changes(update, compared, rows, signal);
    this.assertSensible(update, changes, rows.files);
    const { applying, writing } = batchProgress(progress);
    const enriched = await this.updates.enrich(run, update, rows, applying);
    const table = await this.replaceRows.replace(run, update, { ...changes, added: enriched.rows }, writing);
    await progress.settle();
    const { prune } = update.parameters.source;
    const warnings = [
      ...compared.warnings,
      ...annotations.warnings,
      ...taken.warnings,
      ...replacedWarnings(changes.replaced),
      ...missingWarnings(compared.missing, prune),
      ...enriched.warnings,
    ];
    const addsMedia = rows.files > 0;
    const ending = { warnings, addsMedia, finalStep: () => this.ownBatches.forgetQuarantine(run) };
    if (table === undefined) await this.updates.endUnchanged(run, update, ending);
    else await this.updates.publish(run, update, table, 'addition-completed', ending);
  }

  private async changes(
    { table, parameters }: Update,
    { missing }: ComparedSource,
    added: ChunkRows,
    signal: AbortSignal,
  ): Promise<Changes> {
    const replaced = await findReplaced(table, added, signal);
    const gone = parameters.source.prune ? await this.compareSource.readMissing(missing) : [];
    const removed = await withDependents(table, [...replaced, ...gone], signal);
    return { added, removed, replaced: replaced.length };
  }

  private assertSensible({ dataset: { counts } }: Update, { removed }: Changes, added: number): void {
    const maxImages = this.settings.number('MAX_NUM_OF_IMAGES');
    const files = counts.images + counts.videos - removed.counts.images - removed.counts.videos + added;
    if (files > maxImages) throw new PermanentJobError(tooManyMedia(maxImages));
    if (files === 0)
      throw new PermanentJobError(
        'None of the files of the source could be read, so the dataset would become empty. It was left unchanged.',
      );
  }
}
