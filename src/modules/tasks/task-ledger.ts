import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../events';
import { assertNotBlocked, OperationBlockedError, type Operation, TaskTakenError } from './domain/operation-conflicts';
import { RUNNING_STATUSES, type Task, type TaskParameters, type TaskStatus, type TaskType } from './domain/task';
import { TaskRepository } from './persistence/task.repository';

export interface NewTask {
  /** Of a caller that has stored files for the task already. */
  readonly id?: string;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly type: TaskType;
  readonly createdBy: string;
  readonly parameters?: TaskParameters;
}

/** Creates and updates tasks for other modules. Each call runs in the caller's transaction. */
@Injectable()
export class TaskLedger {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly events: DomainEvents,
  ) {}

  /** The dataset must be locked, so that no conflicting task can start after the check. */
  async assertNotBlocked(operation: Operation, datasetId: string): Promise<void> {
    assertNotBlocked(operation, await this.tasks.runningTypes(datasetId));
  }

  /** The dataset must be locked. Neither its own tasks nor one that makes it as a copy may be running. */
  async assertDeletable(datasetId: string): Promise<void> {
    await this.assertNotBlocked('delete_dataset', datasetId);
    const [making] = await this.tasks.listMaking(datasetId);
    if (making !== undefined) throw new OperationBlockedError('delete_dataset', making.type);
  }

  async open(task: NewTask): Promise<Task> {
    const opened: Task = {
      id: randomUUID(),
      parameters: {},
      ...task,
      status: 'INITIALIZING',
      statusMessage: 'Waiting to start',
      progress: 0,
      errorMessage: null,
      warnings: [],
      quarantined: 0,
      startTime: new Date(),
      endTime: null,
      jobId: null,
    };
    await this.tasks.insert(opened);
    return opened;
  }

  /** When each task began; deleted tasks are missing. */
  startTimes(ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    return this.tasks.startTimes(ids);
  }

  async assignJob(taskId: string, jobId: string): Promise<void> {
    await this.tasks.update(taskId, { jobId });
  }

  /** Returns false if the task is no longer running. */
  report(taskId: string, progress: number, statusMessage: string): Promise<boolean> {
    return this.tasks.updateRunning(taskId, { status: 'RUNNING', progress, statusMessage });
  }

  /** Shows why a task is waiting; its progress is kept. */
  async reportWaiting(taskId: string, sentence: string): Promise<void> {
    await this.tasks.updateRunning(taskId, { statusMessage: sentence });
  }

  async complete(taskId: string, findings: { warnings: readonly string[]; quarantined: number }): Promise<void> {
    const ended = await this.end(taskId, 'COMPLETED', 'Completed', null);
    await this.tasks.update(taskId, { progress: 100 });
    await this.tasks.setFindings(taskId, findings);
    if (ended) await this.recordEnd('task.completed', taskId);
  }

  /** Returns false if the task has ended or belongs to another job. */
  async fail(taskId: string, jobId: string, message: string, quarantined: number): Promise<boolean> {
    const task = await this.tasks.lock(taskId);
    if (task.jobId !== jobId || !(await this.end(taskId, 'FAILED', 'Failed', message))) return false;
    await this.tasks.update(taskId, { quarantined });
    await this.recordEnd('task.failed', taskId);
    return true;
  }

  abort(taskId: string): Promise<boolean> {
    return this.end(taskId, 'ABORTED', 'Aborted', null);
  }

  async reopen(taskId: string, jobId: string): Promise<void> {
    await this.tasks.update(taskId, {
      status: 'INITIALIZING',
      statusMessage: 'Waiting to start',
      progress: 0,
      errorMessage: null,
      quarantined: 0,
      endTime: null,
      startTime: new Date(),
      jobId,
    });
  }

  /** A job that was aborted at its very end must not complete a task that another job has taken over. */
  async assertWorkedBy(taskId: string, jobId: string): Promise<void> {
    const task = await this.tasks.lock(taskId);
    if (task.jobId !== jobId || !RUNNING_STATUSES.includes(task.status)) throw new TaskTakenError(taskId);
  }

  find(taskId: string): Promise<Task | undefined> {
    return this.tasks.find(taskId);
  }

  /** By id; deleted tasks are missing. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Task>> {
    return this.tasks.findAll(ids);
  }

  runningOf(datasetId: string, type: TaskType): Promise<Task[]> {
    return this.tasks.listRunning(datasetId, type);
  }

  /** The one started last. */
  latest(datasetId: string, type: TaskType): Promise<Task | undefined> {
    return this.tasks.latest(datasetId, type);
  }

  listOf(datasetId: string, types: readonly TaskType[]): Promise<Task[]> {
    return this.tasks.listOf(datasetId, types);
  }

  runningIds(): Promise<string[]> {
    return this.tasks.runningIds();
  }

  /** Those of the tasks that are running or may be retried, so that their intermediate files may still be needed. */
  async unfinishedAmong(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.tasks.unfinishedAmong(ids));
  }

  async knownAmong(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.tasks.knownAmong(ids));
  }

  lock(taskId: string): Promise<Task> {
    return this.tasks.lock(taskId);
  }

  private async recordEnd(type: 'task.completed' | 'task.failed', id: string): Promise<void> {
    const { datasetId, datasetName, jobId, type: taskType, errorMessage } = (await this.tasks.find(id))!;
    await this.events.record({ type, datasetId, datasetName, taskId: id, jobId, taskType, errorMessage });
  }

  private end(
    taskId: string,
    status: TaskStatus,
    statusMessage: string,
    errorMessage: string | null,
  ): Promise<boolean> {
    return this.tasks.updateRunning(taskId, { status, statusMessage, errorMessage, endTime: new Date() });
  }
}
