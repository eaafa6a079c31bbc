import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { ChunkJournalRepository, type IndexingRun, QuarantineRepository, TaskRunner } from '../../tables';
import { DatasetOperations, UsersMayStop, type OperationPayload } from '../../tasks';
import { unmatchedWarnings, type Unmatched } from '../domain/annotation';
import { ANNOTATE_MEDIA, ANNOTATING, IMPORTING_METADATA, namedRows } from './given-annotations';
import { KeepTruthStep } from './keep-truth.step';
import { MakeObjectsStep } from './make-objects.step';
import { ReadGivenStep } from './read-given.step';
import { WriteAnnotationsStep } from './write-annotations.step';
import { MetadataFieldRepository, type Dataset, type DatasetPointer, type MetadataField } from '../../datasets';
import { AnnotationStateRepository, type AnnotationSource } from '../../versions';
import { MAX_SAMPLE_ERRORS } from '../domain/metadata-import';
import { MetadataImportRepository } from '../persistence/metadata-import.repository';

/** Records the number of changed values, in the transaction that publishes them. */
@Injectable()
export class MetadataReportStep {
  constructor(
    private readonly fields: MetadataFieldRepository,
    private readonly imports: MetadataImportRepository,
  ) {}

  addFields(datasetId: string, fields: readonly MetadataField[]): Promise<void> {
    return this.fields.add(datasetId, fields);
  }

  /** Adds the rows that match no medium to those that were refused on receipt. */
  async record(
    { datasetId, taskId }: OperationPayload,
    importId: string | undefined,
    unmatched: Unmatched,
  ): Promise<void> {
    const found = importId === undefined ? undefined : await this.imports.find(datasetId, importId);
    // Other values may have been sent since this task failed.
    if (found?.taskId !== taskId) return;
    const { names, rows = [], count, total } = unmatched;
    const errors = rows
      .slice(0, MAX_SAMPLE_ERRORS)
      .map((row, at) => ({ row, reason: `The dataset has no image, frame or object ${names[at]!}.` }));
    await this.imports.update(found.id, {
      insertedRows: total - count,
      errorCount: found.errorCount + count,
      sampleErrors: [...found.sampleErrors, ...errors].sort((a, b) => a.row - b.row).slice(0, MAX_SAMPLE_ERRORS),
    });
  }
}

/** Writes the labels, captions and objects of a batch into a new version of the media table. */
@JobHandler(ANNOTATE_MEDIA)
@UsersMayStop(ANNOTATING, IMPORTING_METADATA)
@Injectable()
export class AnnotateMediaJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly reading: ReadGivenStep,
    private readonly report: MetadataReportStep,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly write: WriteAnnotationsStep,
    private readonly making: MakeObjectsStep,
    private readonly truth: KeepTruthStep,
    private readonly states: AnnotationStateRepository,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.annotate(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    const quarantined = await this.quarantine.countOfTask(payload.taskId);
    if (await this.operations.fail(ANNOTATING, payload, error, attempt, quarantined))
      await this.journal.clear(payload.taskId);
  }

  private async stateOf(
    sources: readonly AnnotationSource[] | undefined,
  ): Promise<{ readonly annotationState?: string }> {
    return sources === undefined ? {} : { annotationState: await this.states.insert(sources) };
  }

  private async annotate(run: IndexingRun): Promise<void> {
    const { dataset, parameters } = await this.operations.open(ANNOTATING, run);
    const { pointer, counts, thumbnailKey } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    if (parameters.base !== undefined && !isSameVersion(parameters.base, pointer))
      throw new PermanentJobError('The dataset has been changed since these annotations were sent. Send them again.');
    const { objectsOf } = parameters;
    if (objectsOf !== undefined) return this.makeObjects(run, dataset, pointer, objectsOf);
    const table = await this.tables.open(pointer);
    const { given, warnings, fields } = await this.reading.read(run, table, parameters);
    const unmatched = await given.unmatched(namedRows(table, run.context.signal));
    const progress = this.work.progressOf(run);
    const written =
      unmatched.count === unmatched.total
        ? undefined
        : await this.write.write(
            run,
            { pointer, table, counts, thumbnailKey },
            given,
            parameters.mode,
            (percent, message) => progress.report(percent, message),
          );
    const sources =
      written?.published &&
      (await this.truth.sourcesAfter({ pointer, table, given, mode: parameters.mode }, written.published));
    await progress.settle();
    await this.operations.complete(run, async () => ({
      event: 'annotation-completed',
      ...(written?.published !== undefined && {
        publishes: { table: { ...written.published, ...(await this.stateOf(sources)) } },
      }),
      warnings: [...warnings, ...unmatchedWarnings(unmatched), ...(written?.warnings ?? [])],
      quarantined: await this.quarantine.countOfTask(run.taskId),
      afterwards: async () => {
        if (written?.published !== undefined) await this.report.addFields(dataset.id, fields);
        await this.report.record(run, parameters.importId, unmatched);
        await this.journal.clear(run.taskId);
      },
    }));
  }

  private async makeObjects(
    run: IndexingRun,
    { counts, thumbnailKey }: Dataset,
    pointer: DatasetPointer,
    source: string,
  ): Promise<void> {
    const base = { pointer, table: await this.tables.open(pointer), counts, thumbnailKey };
    const progress = this.work.progressOf(run);
    const { published, warnings } = await this.making.run(run, base, source, (percent, message) =>
      progress.report(percent, message),
    );
    await progress.settle();
    await this.operations.complete(run, async () => ({
      event: 'annotation-completed',
      ...(published !== undefined && { publishes: { table: published } }),
      warnings,
      quarantined: await this.quarantine.countOfTask(run.taskId),
      afterwards: () => this.journal.clear(run.taskId),
    }));
  }
}
