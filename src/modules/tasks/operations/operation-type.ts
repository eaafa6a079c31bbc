import type { ZodType } from 'zod';
import type { JobType } from '../../../common/platform/jobs/job-type';
import { returnTo, type DatasetEvent, type DatasetStatus } from '../../datasets';
import type { TaskParameters, TaskType } from '../domain/task';

export interface OperationPayload {
  readonly datasetId: string;
  readonly taskId: string;
}

/** What becomes of a dataset, as far as its row tells it. */
export interface DatasetChange {
  readonly event: DatasetEvent;
  readonly progress?: number;
  readonly fatalErrorMessage?: string | null;
}

/** Long work on a dataset: declared once, beside its job, by the module that does it. */
export interface OperationType<Parameters extends TaskParameters = TaskParameters> {
  /** As people see it; what it keeps from starting meanwhile is told in operation-conflicts.ts. */
  readonly task: TaskType;
  readonly job: JobType<OperationPayload>;
  /** What it is asked to do, as its task keeps it. */
  readonly parameters: ZodType<Parameters>;
  /** Null where the dataset is only read. */
  readonly begun: DatasetEvent | null;
  /** Once no attempt is left. Null where the dataset is only read. */
  readonly failed: ((error: Error, parameters: Parameters) => DatasetChange) | null;
  /** Where people may abort it, and have it tried again. */
  readonly stoppable?: { readonly aborted: DatasetEvent; readonly retried: DatasetEvent };
}

export type StoppableOperation<Parameters extends TaskParameters = TaskParameters> = OperationType<Parameters> &
  Required<Pick<OperationType, 'stoppable'>>;

/** Nothing of a new dataset can be shown. */
export const toError = ({ message }: Error): DatasetChange => ({
  event: 'indexing-failed',
  fatalErrorMessage: message,
});

/** Back to where it began, as if nobody had asked. */
export const toPreviousStatus = (
  _error: Error,
  { previousStatus }: { readonly previousStatus: DatasetStatus },
): DatasetChange => ({
  event: returnTo(previousStatus),
  ...(previousStatus === 'ERROR' ? {} : { progress: 100 }),
});
