import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { Dataset, DatasetPointer, PublishedTable } from '../../datasets';
import {
  modelsOf,
  ProgressReporter,
  RewriteRowsStep,
  TableRows,
  TaskRunner,
  workPrefix,
  type IndexingRun,
} from '../../ingestion/for-operations';
import { DatasetOperations, type OperationPayload, type StoppableOperation } from '../../tasks';
import { ANNOTATION_MODES, type Annotation } from '../domain/annotation';
import { unmatchedWarnings } from '../domain/unmatched';
import { AnnotatedRows } from './annotated-rows';
import { ListedAnnotations, NAMED_FIELDS, type GivenAnnotations, type NamedRow } from './given-annotations';

export const ANNOTATE_MEDIA = defineJob<OperationPayload>('annotate-media');

export const annotationParameters = z.object({
  mode: z.enum(ANNOTATION_MODES),
  /** The table that is annotated. What was sent is kept for a retry until the dataset has another one. */
  base: z.object({ generation: z.string(), version: z.int() }).optional(),
});
export type AnnotationParameters = z.infer<typeof annotationParameters>;

export const ANNOTATING: StoppableOperation<AnnotationParameters> = {
  task: 'ANNOTATION',
  job: ANNOTATE_MEDIA,
  parameters: annotationParameters,
  begun: 'annotation-started',
  failed: () => ({ event: 'annotation-completed', progress: 100 }),
  stoppable: { aborted: 'annotation-completed', retried: 'annotation-started' },
};

/** Where the annotations of a task wait for its job. */
export const annotationsKey = (taskId: string): string => `${workPrefix(taskId)}annotations.json`;

/** Writes the labels and captions of a batch into a new version of the media table. */
@JobHandler(ANNOTATE_MEDIA)
@Injectable()
export class AnnotateMediaJob implements JobRunner<OperationPayload> {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly rewriteRows: RewriteRowsStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.annotate(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(ANNOTATING, payload, error, attempt);
  }

  private async annotate(run: IndexingRun): Promise<void> {
    const { dataset, parameters } = await this.operations.open(ANNOTATING, run);
    const { pointer } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    if (parameters.base !== undefined && !isSameVersion(parameters.base, pointer))
      throw new PermanentJobError('The dataset has been changed since these annotations were sent. Send them again.');
    const given = await this.givenTo(run);
    const table = await this.tables.open(pointer);
    const unmatched = await given.unmatched(namedRows(table, run.context.signal));
    const published =
      unmatched.count === unmatched.total
        ? {}
        : { publishes: { table: await this.write(run, { ...dataset, pointer }, table, given, parameters) } };
    await this.operations.complete(run, () => ({
      event: 'annotation-completed',
      ...published,
      warnings: unmatchedWarnings(unmatched),
    }));
    await this.store.deletePrefix(workPrefix(run.taskId));
  }

  private async givenTo({ taskId }: IndexingRun): Promise<GivenAnnotations> {
    return new ListedAnnotations((await json(await this.store.get(annotationsKey(taskId)))) as Annotation[]);
  }

  private async write(
    run: IndexingRun,
    { pointer, counts, thumbnailKey }: Dataset & { readonly pointer: DatasetPointer },
    table: MediaTable,
    given: GivenAnnotations,
    { mode }: AnnotationParameters,
  ): Promise<PublishedTable> {
    const rows = new AnnotatedRows(new TableRows(table, counts, run.context.signal), given, mode);
    const progress = new ProgressReporter(this.operations, run);
    const { enrichments } = pointer;
    const models = { ...modelsOf(pointer, table), dimensions: { ...table.dimensions }, enrichments };
    const written = await this.rewriteRows.rewrite(
      run,
      { pointer, thumbnailKey, rows, models, relabelled: given.changesLabels },
      (phase, part) => {
        if (phase === 'comparing') progress.report(40 * part, 'Comparing labels');
        else progress.report(40 + 59 * part, 'Writing the table');
      },
    );
    await progress.settle();
    return written;
  }
}

async function* namedRows(table: MediaTable, signal: AbortSignal): AsyncGenerator<NamedRow> {
  for await (const batch of table.readRows(NAMED_FIELDS)) {
    signal.throwIfAborted();
    yield* batch;
  }
}
