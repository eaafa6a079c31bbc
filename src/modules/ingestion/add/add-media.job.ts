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
import { Metrics } from '../../../common/platform/observability/metrics';
import { Settings } from '../../settings';
import { toPreviousStatus, type OperationPayload, type OperationType } from '../../tasks';
import { tooManyMedia } from '../sources/domain/source-location';
import { addMediaParameters, type AddMediaParameters } from './domain/addition';
import { BatchSources } from '../sources/batch-sources';
import {
  AppendRowsStep,
  batchProgress,
  type BuildPhase,
  type ChunkRows,
  type DatasetUpdate,
  type IndexingRun,
  IngestFilesStep,
  excludeKnown,
  RebuildStep,
  type RowSource,
  TaskRunner,
  UpdateOperation,
} from '../../tables';

export const ADD_MEDIA = defineJob<OperationPayload>('add-media');

export const MEDIA_ADDITION: OperationType<AddMediaParameters> = {
  task: 'MEDIA_ADDITION',
  job: ADD_MEDIA,
  parameters: addMediaParameters,
  begun: 'addition-started',
  failed: toPreviousStatus,
};

type Update = DatasetUpdate<AddMediaParameters>;

/** Adds a batch of media to a dataset: appends the batch, or clusters the whole dataset again. Published in one commit. */
@JobHandler(ADD_MEDIA)
@Injectable()
export class AddMediaJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly settings: Settings,
    private readonly sources: BatchSources,
    private readonly metrics: Metrics,
    private readonly updates: UpdateOperation,
    private readonly ingestFiles: IngestFilesStep,
    private readonly appendRows: AppendRowsStep,
    private readonly rebuild: RebuildStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.add(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.updates.fail(MEDIA_ADDITION, payload, error, attempt, ({ source }) => this.sources.forget(source));
  }

  private async add(run: IndexingRun): Promise<void> {
    const update = await this.updates.openToAdd(MEDIA_ADDITION, run);
    const { dataset, parameters, table, pointer } = update;
    const progress = this.work.progressOf(run);
    const list = (key: string) => this.sources.list(parameters.source, key, run.context.signal);
    const taken = await this.ingestFiles.run(run, list, pointer.modelId, progress, dataset);
    const { rows, skipped } = await jobStep('exclude-known', () => excludeKnown(taken.rows, table));
    this.assertRoomFor(rows, update);
    failpoint('known-left-out');
    const { applying, writing } = batchProgress(progress);
    const enriched = await this.updates.enrich(run, update, rows, applying);
    const isNothingNew = rows.files === 0;
    const written = await this.write(run, update, isNothingNew ? undefined : enriched.rows, writing);
    await progress.settle();
    const ending = {
      warnings: [...taken.warnings, ...skippedWarnings(skipped), ...enriched.warnings],
      finalStep: () => this.sources.forget(parameters.source),
      addsMedia: !isNothingNew,
    };
    if (written === undefined) await this.updates.endUnchanged(run, update, ending);
    else await this.updates.publish(run, update, written.table, written.event, ending);
    this.metrics.skippedFiles.inc(skipped);
  }

  /** Undefined if there is nothing to write. */
  private async write(
    run: IndexingRun,
    update: Update,
    added: RowSource | undefined,
    onProgress: (phase: BuildPhase, part: number) => void,
  ) {
    const { autoReindex, previousStatus } = update.parameters;
    if (autoReindex && !(added === undefined && previousStatus === 'READY')) {
      const table = await this.rebuild.rebuild(run, update, added, onProgress);
      return { table, event: 'indexing-completed' } as const;
    }
    if (added === undefined) return undefined;
    return {
      table: await jobStep('append-rows', () => this.appendRows.append(run, update, added, onProgress)),
      event: 'addition-completed',
    } as const;
  }

  private assertRoomFor({ files }: ChunkRows, { dataset: { counts } }: Update): void {
    const maxImages = this.settings.number('MAX_NUM_OF_IMAGES');
    if (counts.images + counts.videos + files > maxImages) throw new PermanentJobError(tooManyMedia(maxImages));
  }
}

const skippedWarnings = (skipped: number): string[] =>
  skipped === 0
    ? []
    : [skipped === 1 ? '1 file was already in the dataset.' : `${skipped} files were already in the dataset.`];
