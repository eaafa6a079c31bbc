import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
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
import {
  ANNOTATION_FILE_NAMES,
  AnnotationFiles,
  ChunkJournalRepository,
  ProgressReporter,
  QuarantineRepository,
  TaskRunner,
  workPrefix,
  type AnnotationFileName,
  type IndexingRun,
} from '../../ingestion/for-operations';
import { DatasetOperations, type OperationPayload, type StoppableOperation } from '../../tasks';
import { ANNOTATION_MODES, type Annotation } from '../domain/annotation';
import { unmatchedWarnings } from '../domain/unmatched';
import { AnnotationsOfFiles } from './annotations-of-files';
import { ListedAnnotations, namedRows, type GivenAnnotations } from './given-annotations';
import { WriteAnnotationsStep } from './write-annotations.step';

export const ANNOTATE_MEDIA = defineJob<OperationPayload>('annotate-media');

export const annotationParameters = z.object({
  mode: z.enum(ANNOTATION_MODES),
  /** Those that were sent; absent for annotations in a request. */
  files: z.array(z.object({ name: z.enum(ANNOTATION_FILE_NAMES), size: z.int() })).optional(),
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

export const annotationFileKey = (taskId: string, name: AnnotationFileName): string => `${workPrefix(taskId)}${name}`;

/** Writes the labels, captions and objects of a batch into a new version of the media table. */
@JobHandler(ANNOTATE_MEDIA)
@Injectable()
export class AnnotateMediaJob implements JobRunner<OperationPayload> {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly files: AnnotationFiles,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly write: WriteAnnotationsStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.annotate(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    if (await this.operations.fail(ANNOTATING, payload, error, attempt)) await this.journal.clear(payload.taskId);
  }

  private async annotate(run: IndexingRun): Promise<void> {
    const { dataset, parameters } = await this.operations.open(ANNOTATING, run);
    const { pointer, counts, thumbnailKey } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    if (parameters.base !== undefined && !isSameVersion(parameters.base, pointer))
      throw new PermanentJobError('The dataset has been changed since these annotations were sent. Send them again.');
    const { given, warnings } = await this.given(run, parameters);
    const table = await this.tables.open(pointer);
    const unmatched = await given.unmatched(namedRows(table, run.context.signal));
    const progress = new ProgressReporter(this.operations, run);
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
    await progress.settle();
    await this.operations.complete(run, async () => ({
      event: 'annotation-completed',
      ...(written?.published !== undefined && { publishes: { table: written.published } }),
      warnings: [...warnings, ...unmatchedWarnings(unmatched), ...(written?.warnings ?? [])],
      quarantined: await this.quarantine.countOfTask(run.taskId),
      afterwards: () => this.journal.clear(run.taskId),
    }));
    await this.store.deletePrefix(workPrefix(run.taskId));
  }

  private async given({ taskId }: IndexingRun, { files }: AnnotationParameters): Promise<Given> {
    if (files === undefined) {
      const listed = (await json(await this.store.get(annotationsKey(taskId)))) as Annotation[];
      return { given: new ListedAnnotations(listed), warnings: [] };
    }
    const sources = files.map(({ name, size }) => ({
      name,
      size,
      source: `store:${annotationFileKey(taskId, name)}`,
      withConfidence: true,
    }));
    const { index, warnings } = await this.files.read(sources);
    if (index.fileCount === 0) throw new PermanentJobError(noAnnotations(files, warnings));
    return { given: new AnnotationsOfFiles(index), warnings };
  }
}

interface Given {
  readonly given: GivenAnnotations;
  readonly warnings: readonly string[];
}

const noAnnotations = (files: readonly { readonly name: string }[], warnings: readonly string[]): string =>
  [`There is no annotation in ${files.map(({ name }) => name).join(', ')}.`, ...warnings].join(' ');
