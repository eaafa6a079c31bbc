import type { Task } from 'dataset-media-service-sdk';

export const STATUSES = ['INITIALIZING', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;

export const ABORTABLE = [
  'DATASET_CREATION',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'ANNOTATION',
  'ANNOTATION_IMPORT',
  'EMBEDDINGS',
  'MEDIA_REMOVAL',
  'DATASET_COPY',
  'EVALUATION',
] as const;
export type AbortableType = (typeof ABORTABLE)[number];

/** The service keeps intermediate files of these only. */
export const RETRYABLE: Readonly<Partial<Record<Task['task_type'], readonly Task['status'][]>>> = {
  DATASET_CREATION: ['FAILED', 'ABORTED'],
  ENRICHMENT: ['FAILED'],
  CUSTOM_METADATA: ['FAILED', 'ABORTED'],
  ANNOTATION: ['FAILED', 'ABORTED'],
  ANNOTATION_IMPORT: ['FAILED', 'ABORTED'],
  MEDIA_REMOVAL: ['FAILED', 'ABORTED'],
  DATASET_COPY: ['FAILED'],
  EVALUATION: ['FAILED', 'ABORTED'],
};

export const isRunning = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'INITIALIZING' || status === 'RUNNING';

export const abortableType = (task: Task): AbortableType | undefined =>
  isRunning(task) ? ABORTABLE.find((type) => type === task.task_type) : undefined;

export const isRetryable = ({ task_type: type, status }: Task): boolean => RETRYABLE[type]?.includes(status) === true;

/** The outage that a running task waits for, from its message; undefined while it does not wait. */
export function waitingOf(message: string): { readonly what: string; readonly since: string } | undefined {
  const [begin, between, end] = ['Waiting for ', ' since ', '.'];
  const at = message.lastIndexOf(between);
  if (!message.startsWith(begin) || at < 0 || !message.endsWith(end)) return undefined;
  const since = message.slice(at + between.length, -end.length);
  return Number.isNaN(Date.parse(`${since}Z`)) ? undefined : { what: message.slice(begin.length, at), since };
}
