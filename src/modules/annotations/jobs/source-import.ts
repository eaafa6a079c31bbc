import { z } from 'zod';
import { READABLE_FORMATS } from '../../../common/engine/annotation-formats/read-format';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { workPrefix } from '../../tables';
import type { OperationPayload, StoppableOperation } from '../../tasks';
import { SOURCE_KINDS } from '../../versions';
import { SOURCE_MODES } from '../domain/source-change';

const sourceImport = z.object({
  source: z.string(),
  kind: z.enum(SOURCE_KINDS),
  modelId: z.string().nullable(),
  mode: z.enum(SOURCE_MODES),
  /** Null if it is told by the content of the files. */
  format: z.enum(READABLE_FORMATS).nullable(),
  files: z.array(z.object({ name: z.string(), size: z.int() })),
});
export type SourceImport = z.infer<typeof sourceImport>;

export const IMPORT_ANNOTATIONS = defineJob<OperationPayload>('import-annotations', { concurrency: 2 });

/** The dataset stays as it is: annotations of sources are stored beside its media. */
export const IMPORTING_ANNOTATIONS: StoppableOperation<SourceImport> = {
  task: 'ANNOTATION_IMPORT',
  job: IMPORT_ANNOTATIONS,
  parameters: sourceImport,
  begun: null,
  failed: null,
  stoppable: { operation: 'import_annotations' },
};

/** Where a file for a source waits, by its position. */
export const givenFileKey = (taskId: string, at: number): string => `${workPrefix(taskId)}given-${at}`;
