import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
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
import {
  modelsOf,
  ProgressReporter,
  RewriteRowsStep,
  TableRows,
  TaskRunner,
  workPrefix,
  type IndexingRun,
} from '../../ingestion/for-operations';
import { DatasetOperations, type OperationPayload, type OperationType } from '../../tasks';
import { ANNOTATION_MODES, changesLabels, unmatchedWarnings, type Annotation } from '../domain/annotation';
import { AnnotatedRows } from './annotated-rows';

export const ANNOTATE_MEDIA = defineJob<OperationPayload>('annotate-media');

export const annotationParameters = z.object({ mode: z.enum(ANNOTATION_MODES) });
export type AnnotationParameters = z.infer<typeof annotationParameters>;

export const ANNOTATING: OperationType<AnnotationParameters> = {
  task: 'ANNOTATION',
  job: ANNOTATE_MEDIA,
  parameters: annotationParameters,
  begun: 'annotation-started',
  failed: () => ({ event: 'annotation-completed', progress: 100 }),
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
    const { pointer, counts, thumbnailKey } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    const annotations = (await json(await this.store.get(annotationsKey(run.taskId)))) as Annotation[];
    const table = await this.tables.open(pointer);
    const rows = new AnnotatedRows(new TableRows(table, counts, run.context.signal), annotations, parameters.mode);
    const progress = new ProgressReporter(this.operations, run);
    const { enrichments } = pointer;
    const dimensions = { ...table.dimensions };
    const models = { ...modelsOf(pointer, table), dimensions, enrichments };
    const relabelled = changesLabels(annotations);
    const written = await this.rewriteRows.rewrite(
      run,
      { pointer, thumbnailKey, rows, models, relabelled },
      (phase, part) => {
        if (phase === 'comparing') progress.report(40 * part, 'Comparing labels');
        else progress.report(40 + 59 * part, 'Writing the table');
      },
    );
    await progress.settle();
    await this.operations.complete(run, () => ({
      event: 'annotation-completed',
      publishes: { table: written },
      warnings: unmatchedWarnings(annotations, rows.matched),
    }));
    await this.store.deletePrefix(workPrefix(run.taskId));
  }
}
