import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { ForbiddenError } from '../../common/platform/errors/domain-error';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader, grants, type Dataset } from '../datasets';
import { RETRYABLE, RUNNING_STATUSES, type Task, type TaskType } from './domain/task';
import { TaskNotAbortableError, TaskNotFoundError, TaskNotRetryableError } from './domain/operation-conflicts';
import { DatasetOperations } from './operations/dataset-operations';
import { stoppableOperationsOf, type StoppableOperation } from './operations/operation-type';
import { TaskRepository } from './persistence/task.repository';

/** Abort and retry, for the tasks of operations that users may stop. */
@Injectable()
export class TaskActions {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskRepository,
    private readonly datasets: DatasetReader,
    private readonly operations: DatasetOperations,
    private readonly discovery: DiscoveryService,
  ) {}

  abort(id: string, principal: Principal): Promise<Task> {
    return this.act(id, principal, async (task, dataset) => {
      const type = this.stoppable(task.type);
      if (type === undefined || !RUNNING_STATUSES.includes(task.status))
        throw new TaskNotAbortableError(task.type, task.status);
      await this.operations.abortChange(type, task, dataset);
    });
  }

  retry(id: string, principal: Principal): Promise<Task> {
    return this.act(id, principal, async (task, dataset) => {
      const type = this.stoppable(task.type);
      if (type === undefined || RETRYABLE[task.type]?.includes(task.status) !== true)
        throw new TaskNotRetryableError(task.type, task.status);
      await this.operations.retry(type, task, dataset);
    });
  }

  private stoppable(task: TaskType): StoppableOperation | undefined {
    const handlers = this.discovery.getProviders().map(({ metatype }) => metatype);
    return handlers.flatMap((each) => (each ? stoppableOperationsOf(each) : [])).find((type) => type.task === task);
  }

  private async act(
    id: string,
    principal: Principal,
    action: (task: Task, dataset: Dataset) => Promise<void>,
  ): Promise<Task> {
    return this.transactions.run(async () => {
      const datasetId = (await this.accessibleTask(id, principal)).datasetId;
      // Lock order: the dataset before the task.
      const dataset = await this.datasets.lock(datasetId);
      await action(await this.tasks.lock(id), dataset);
      return this.tasks.lock(id);
    });
  }

  private async accessibleTask(id: string, principal: Principal): Promise<Task> {
    const task = await this.tasks.find(id);
    const role = task && (await this.datasets.roleOn(principal, task.datasetId));
    if (task === undefined || role === undefined) throw new TaskNotFoundError();
    if (!grants(role, 'write')) throw new ForbiddenError('You may view this dataset but not change it');
    return task;
  }
}
