import 'reflect-metadata';
import type { ZodType } from 'zod';
import type { JobType } from '../../../common/platform/jobs/job-type';
import { returnTo, type DatasetEvent, type DatasetStatus } from '../../datasets';
import type { Operation } from '../domain/operation-conflicts';
import type { TaskParameters, TaskType } from '../domain/task';

export interface OperationPayload {
  readonly datasetId: string;
  readonly taskId: string;
  /** The new dataset that the operation makes from this one, which is read-only meanwhile. It ends READY or ERROR. */
  readonly copyId?: string;
}

/** A change of a dataset's status and progress. */
export interface DatasetChange {
  readonly event: DatasetEvent;
  readonly progress?: number;
  readonly fatalErrorMessage?: string | null;
}

/** A long operation on a dataset. The module that implements it declares it beside its job. */
export interface OperationType<Parameters extends TaskParameters = TaskParameters> {
  /** The type of its task. operation-conflicts.ts lists the operations that it blocks. */
  readonly task: TaskType;
  readonly job: JobType<OperationPayload>;
  /** The parameters that its task stores. */
  readonly parameters: ZodType<Parameters>;
  /** The event at its start; null for operations that only read the dataset. */
  readonly begun: DatasetEvent | null;
  /** The change after the last attempt has failed; null for operations that only read the dataset. */
  readonly failed: ((error: Error, parameters: Parameters) => DatasetChange) | null;
  /**
   * For operations that may make a copy: its id, or undefined if this one makes none. It is deleted with an abort, and used again by a
   * retry.
   */
  readonly copyOf?: (parameters: Parameters) => string | undefined;
  /** Set if users may abort it, and retry it as far as `RETRYABLE` says. */
  readonly stoppable?:
    | { readonly aborted: DatasetEvent; readonly retried: DatasetEvent }
    /** It does not change the status; a retry must not be blocked as this operation, null if nothing blocks it. */
    | { readonly operation: Operation | null };
}

export type StoppableOperation<Parameters extends TaskParameters = TaskParameters> = OperationType<Parameters> &
  Required<Pick<OperationType, 'stoppable'>>;

const STOPPABLE = Symbol('StoppableOperations');

/** Declares, at the handler of their job, operations that users may abort. */
export function UsersMayStop<Parameters extends TaskParameters>(
  ...types: readonly StoppableOperation<Parameters>[]
): ClassDecorator {
  return (target) => Reflect.defineMetadata(STOPPABLE, types, target);
}

export const stoppableOperationsOf = (target: object): readonly StoppableOperation[] =>
  (Reflect.getMetadata(STOPPABLE, target) as readonly StoppableOperation[] | undefined) ?? [];

/** For a dataset that has nothing to show yet. */
export const toError = ({ message }: Error): DatasetChange => ({
  event: 'indexing-failed',
  fatalErrorMessage: message,
});

/** Back to the status before the operation. */
export const toPreviousStatus = (
  _error: Error,
  { previousStatus }: { readonly previousStatus: DatasetStatus },
): DatasetChange => ({
  event: returnTo(previousStatus),
  ...(previousStatus === 'ERROR' ? {} : { progress: 100 }),
});
