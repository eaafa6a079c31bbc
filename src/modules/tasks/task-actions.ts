import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import { ForbiddenError } from '../../common/http/domain-error';
import type { Principal } from '../../common/http/principal';
import { DatasetReader, DatasetRepository, grants, type Dataset } from '../datasets';
import { RUNNING_STATUSES, type Task, type TaskType } from './domain/task';
import { TaskNotAbortableError, TaskNotFoundError, TaskNotRetryableError } from './domain/task-errors';
import { TaskRepository } from './persistence/task.repository';

/** What a module does when a task of its kind is to stop or to start again; the dataset and the task are locked. */
export interface TaskActionHandler {
  abort(task: Task, dataset: Dataset): Promise<void>;
  retry(task: Task, dataset: Dataset): Promise<void>;
}

@Injectable()
export class TaskActions {
  private readonly handlers = new Map<TaskType, TaskActionHandler>();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskRepository,
    private readonly datasets: DatasetRepository,
    private readonly access: DatasetReader,
  ) {}

  register(type: TaskType, handler: TaskActionHandler): void {
    if (this.handlers.has(type)) throw new Error(`Two handlers for the actions of ${type} tasks`);
    this.handlers.set(type, handler);
  }

  abort(id: string, principal: Principal): Promise<Task> {
    return this.act(id, principal, async (task, dataset) => {
      const handler = this.handlers.get(task.type);
      if (handler === undefined || !RUNNING_STATUSES.includes(task.status))
        throw new TaskNotAbortableError(task.type, task.status);
      await handler.abort(task, dataset);
    });
  }

  retry(id: string, principal: Principal): Promise<Task> {
    return this.act(id, principal, async (task, dataset) => {
      const handler = this.handlers.get(task.type);
      if (handler === undefined || !['FAILED', 'ABORTED'].includes(task.status))
        throw new TaskNotRetryableError(task.type, task.status);
      await handler.retry(task, dataset);
    });
  }

  private async act(
    id: string,
    principal: Principal,
    action: (task: Task, dataset: Dataset) => Promise<void>,
  ): Promise<Task> {
    return this.transactions.run(async () => {
      const datasetId = (await this.accessibleTask(id, principal)).datasetId;
      // The order of every operation: first the dataset, then the task.
      const dataset = await this.datasets.lock(datasetId);
      await action(await this.tasks.lock(id), dataset);
      return this.tasks.lock(id);
    });
  }

  private async accessibleTask(id: string, principal: Principal): Promise<Task> {
    const task = await this.tasks.find(id);
    const role = task && (await this.access.roleOn(principal, task.datasetId));
    if (task === undefined || role === undefined) throw new TaskNotFoundError();
    if (!grants(role, 'write')) throw new ForbiddenError('You may look at this dataset but not change it');
    return task;
  }
}
