import { z } from 'zod';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { ANNOTATION_FILE_NAMES, type AnnotationFileName, workPrefix } from '../../tables';
import type { OperationPayload, StoppableOperation } from '../../tasks';
import { ANNOTATION_MODES } from '../domain/annotation';

export const ANNOTATE_MEDIA = defineJob<OperationPayload>('annotate-media');

export const annotationParameters = z.object({
  mode: z.enum(ANNOTATION_MODES),
  /** The received files; absent for annotations in a request. */
  files: z.array(z.object({ name: z.enum(ANNOTATION_FILE_NAMES), size: z.int() })).optional(),
  /** Whether the labels are the names of the folders that files lie in. */
  folders: z.boolean().optional(),
  /** Of values of one field that were declared before, for their report. */
  importId: z.uuid().optional(),
  /** The annotated table. The request is kept for a retry until the dataset has another table. */
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

/** Values of one field, sent after it was declared. */
export const IMPORTING_METADATA: StoppableOperation<AnnotationParameters> = { ...ANNOTATING, task: 'CUSTOM_METADATA' };
