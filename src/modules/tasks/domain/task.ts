export const TASK_TYPES = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'ANNOTATION',
  'ANNOTATION_IMPORT',
  'MEDIA_REMOVAL',
  'DATASET_COPY',
  'EMBEDDINGS',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
  'EXPORT',
  'EVALUATION',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const TASK_STATUSES = ['INITIALIZING', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const RUNNING_STATUSES: readonly TaskStatus[] = ['INITIALIZING', 'RUNNING'];

/** Types that may be retried, each after the statuses in which its intermediate files are kept. */
export const RETRYABLE: Readonly<Partial<Record<TaskType, readonly TaskStatus[]>>> = {
  DATASET_CREATION: ['FAILED', 'ABORTED'],
  ENRICHMENT: ['FAILED'],
  ANNOTATION: ['FAILED', 'ABORTED'],
  ANNOTATION_IMPORT: ['FAILED', 'ABORTED'],
  MEDIA_REMOVAL: ['FAILED', 'ABORTED'],
  DATASET_COPY: ['FAILED'],
  CUSTOM_METADATA: ['FAILED', 'ABORTED'],
  EVALUATION: ['FAILED', 'ABORTED'],
};

/** The parameters of the operation, in the format of its module. */
export type TaskParameters = object;

export interface Task {
  readonly id: string;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly createdBy: string;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly statusMessage: string;
  readonly progress: number;
  readonly errorMessage: string | null;
  readonly warnings: readonly string[];
  readonly quarantined: number;
  readonly startTime: Date;
  readonly endTime: Date | null;
  readonly parameters: TaskParameters;
  /** Id of the job that runs the operation. */
  readonly jobId: string | null;
}
