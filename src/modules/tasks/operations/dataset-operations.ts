import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { JobAttempt, JobContext } from '../../../common/platform/jobs/job-handler';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { jobStep } from '../../../common/platform/jobs/job-step';
import {
  DatasetReader,
  DatasetStatusError,
  DatasetWriter,
  TRANSITIONS,
  type Dataset,
  type DatasetEvent,
  type PublishedTable,
  type RestoredState,
} from '../../datasets';
import { DatasetStates } from '../../datasets/for-operations';
import type { Task, TaskParameters } from '../domain/task';
import { TaskLedger } from '../task-ledger';
import { CopyGoneError } from '../domain/operation-conflicts';
import type { OperationPayload, OperationType, StoppableOperation } from './operation-type';

const AGAIN = { progress: 0, fatalErrorMessage: null };

/** One attempt at an operation. */
export interface OperationRun extends OperationPayload {
  readonly context: JobContext;
}

export interface OpenOperation<Parameters extends TaskParameters> {
  readonly dataset: Dataset;
  readonly task: Task;
  readonly parameters: Parameters;
}

export interface StartOptions {
  /** The new dataset that the operation makes. */
  readonly copy?: Dataset;
  /** For an operation whose files are in the store already, under this id. */
  readonly taskId?: string;
}

/** The result of an operation. */
export interface Outcome {
  /** Null for operations that only read the dataset. */
  readonly event: DatasetEvent | null;
  /** The table or snapshot that readers see from now on, of the copy if there is one; unchanged when absent. */
  readonly publishes?: { readonly table: PublishedTable } | { readonly snapshot: RestoredState };
  readonly warnings?: readonly string[];
  readonly quarantined?: number;
  /** Runs last in the same transaction. */
  readonly afterwards?: () => Promise<void>;
}

/** Starts and ends long operations on a dataset. Nothing else changes its status and its published table. */
@Injectable()
export class DatasetOperations {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly states: DatasetStates,
    private readonly writer: DatasetWriter,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  /** Runs in the caller's transaction, which has locked the dataset and inserted the copy. */
  async start<Parameters extends TaskParameters>(
    { task: type, job, begun }: OperationType<Parameters>,
    dataset: Dataset,
    createdBy: string,
    parameters: Parameters,
    { copy, taskId }: StartOptions = {},
  ): Promise<Task> {
    const { id: datasetId, displayName: datasetName } = dataset;
    const chosen = taskId === undefined ? {} : { id: taskId };
    const task = await this.tasks.open({ ...chosen, datasetId, datasetName, type, createdBy, parameters });
    if (begun !== null) await this.states.change(dataset, begun, copy === undefined ? { progress: 0 } : {});
    if (copy !== undefined) await this.states.change(copy, 'indexing-started', { progress: 0 });
    const payload = { datasetId, taskId: task.id, ...(copy === undefined ? {} : { copyId: copy.id }) };
    await this.tasks.assignJob(task.id, await this.jobs.enqueue(job, payload));
    return task;
  }

  /** Loads what a job works on. */
  async open<Parameters extends TaskParameters>(
    type: OperationType<Parameters>,
    { datasetId, taskId }: OperationPayload,
  ): Promise<OpenOperation<Parameters>> {
    const [dataset, task] = [await this.datasets.find(datasetId), await this.tasks.find(taskId)];
    if (dataset === undefined || task === undefined) throw new PermanentJobError('The dataset was deleted');
    return { dataset, task, parameters: type.parameters.parse(task.parameters) };
  }

  async report({ datasetId, taskId, copyId }: OperationPayload, percent: number, message: string): Promise<void> {
    await this.tasks.report(taskId, percent, message);
    await this.states.saveProgress(copyId ?? datasetId, percent);
  }

  async reportWaiting({ taskId }: OperationPayload, sentence: string): Promise<void> {
    await this.tasks.reportWaiting(taskId, sentence);
  }

  /** Changes the status in the middle of an operation. A resumed run may have done so already. */
  async pass({ datasetId, taskId, context }: OperationRun, event: DatasetEvent): Promise<void> {
    await context.commit(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertWorkedBy(taskId, context.runId);
      await this.states.changeOnce(dataset, event);
    });
  }

  /** Publishes the result and completes the task in one transaction; `outcomeFor` runs in it, with the dataset locked. */
  async complete(run: OperationRun, outcomeFor: (dataset: Dataset) => Promise<Outcome> | Outcome): Promise<void> {
    const { datasetId, taskId, copyId, context } = run;
    await jobStep('publish', () =>
      context.complete(async () => {
        const dataset = await this.datasets.lock(datasetId);
        await this.tasks.assertWorkedBy(taskId, context.runId);
        const { event, publishes, warnings = [], quarantined = 0, afterwards } = await outcomeFor(dataset);
        if (publishes !== undefined) await this.states.show(copyId ?? datasetId, publishes);
        if (copyId !== undefined)
          await this.states.change(await this.datasets.lock(copyId), 'indexing-completed', { progress: 100 });
        if (event !== null) await this.states.change(dataset, event, { progress: 100, fatalErrorMessage: null });
        await this.tasks.complete(taskId, { warnings, quarantined });
        await afterwards?.();
        failpoint('before-flip');
      }),
    );
    failpoint('after-flip');
  }

  /** Runs in the transaction that records the final failure. Returns false if the task has ended or belongs to another job. */
  async fail<Parameters extends TaskParameters>(
    { failed, parameters }: OperationType<Parameters>,
    { datasetId, taskId, copyId }: OperationPayload,
    error: Error,
    { runId }: JobAttempt,
    quarantined = 0,
  ): Promise<boolean> {
    const dataset = await this.datasets.lock(datasetId);
    if (!(await this.tasks.fail(taskId, runId, error.message, quarantined))) return false;
    if (copyId !== undefined)
      await this.states.change(await this.datasets.lock(copyId), 'indexing-failed', {
        fatalErrorMessage: error.message,
      });
    const change = failed?.(error, parameters.parse((await this.tasks.lock(taskId)).parameters));
    if (change !== undefined) await this.states.change(dataset, change.event, change);
    return true;
  }

  /** The task must be locked. Returns false if it has ended. */
  async abort(task: Task): Promise<boolean> {
    if (!(await this.tasks.abort(task.id))) return false;
    if (task.jobId !== null) await this.jobs.cancel(task.jobId);
    return true;
  }

  /** Like `abort`, for an operation that changes the dataset or makes a copy; the dataset and the task must be locked. */
  async abortChange<Parameters extends TaskParameters>(
    { stoppable, parameters, copyOf }: StoppableOperation<Parameters>,
    task: Task,
    dataset: Dataset,
  ): Promise<void> {
    await this.abort(task);
    if ('operation' in stoppable) return;
    const isDraft = TRANSITIONS[stoppable.aborted].to === 'DRAFT';
    await this.states.change(dataset, stoppable.aborted, { progress: isDraft ? 0 : 100 });
    const copyId = copyOf?.(parameters.parse(task.parameters));
    if (copyId !== undefined) await this.writer.delete(copyId);
  }

  /** The dataset and the task must be locked. */
  async retry<Parameters extends TaskParameters>(
    { job, stoppable, parameters, copyOf }: StoppableOperation<Parameters>,
    task: Task,
    dataset: Dataset,
  ): Promise<void> {
    const copyId = copyOf?.(parameters.parse(task.parameters));
    if ('operation' in stoppable) {
      if (stoppable.operation !== null) await this.tasks.assertNotBlocked(stoppable.operation, dataset.id);
    } else {
      const { from } = TRANSITIONS[stoppable.retried];
      if (!from.includes(dataset.status)) throw new DatasetStatusError('retry', dataset.status, from);
      await this.states.change(dataset, stoppable.retried, copyId === undefined ? AGAIN : {});
    }
    if (copyId !== undefined) {
      if ((await this.datasets.find(copyId)) === undefined) throw new CopyGoneError();
      await this.states.change(await this.datasets.lock(copyId), 'indexing-retried', AGAIN);
    }
    const payload = { datasetId: dataset.id, taskId: task.id, ...(copyId === undefined ? {} : { copyId }) };
    await this.tasks.reopen(task.id, await this.jobs.enqueue(job, payload));
  }
}
