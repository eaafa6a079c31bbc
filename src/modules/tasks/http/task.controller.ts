import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { WorkspaceRole } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { DatasetNotFoundError, DatasetReader, underscored, type DatasetStatus } from '../../datasets';
import { TaskActions } from '../task-actions';
import { TaskListReadModel } from '../persistence/task-list.read-model';
import {
  taskFiltersQuery,
  taskFiltersResponse,
  taskListQuery,
  taskListResponse,
  taskPath,
  taskResponse,
  type TaskFiltersQuery,
  type TaskListQuery,
  type TaskPath,
  type TaskResponse,
} from './task.schemas';
import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import type { Task, TaskType } from '../domain/task';

const KINDS: Partial<Record<TaskType, string>> = { EXPORT: 'export' };

const queuedBehind = (ahead: number, type: TaskType): string =>
  `Queued behind ${ahead} other ${KINDS[type] ?? 'dataset'}${ahead === 1 ? '' : 's'}.`;

/** `ahead`: how many jobs are queued before its own. */
const presentTask = (task: Task, datasetStatus: DatasetStatus, ahead = 0): TaskResponse => ({
  task_id: task.id,
  dataset_id: task.datasetId,
  dataset_name: task.datasetName,
  dataset_status: underscored(datasetStatus),
  created_by: task.createdBy,
  task_type: task.type,
  status: task.status,
  status_message: ahead === 0 ? task.statusMessage : queuedBehind(ahead, task.type),
  progress_percentage: task.progress,
  error_message: task.errorMessage,
  warnings: [...task.warnings],
  quarantined_count: task.quarantined,
  start_time: formatTimestamp(task.startTime),
  end_time: formatTimestampOrNull(task.endTime),
});

@ApiTags('Tasks')
@Controller('api/v1/tasks')
export class TaskController {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly list: TaskListReadModel,
    private readonly actions: TaskActions,
    private readonly transactions: TransactionRunner,
    private readonly jobs: JobQueue,
  ) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'Tasks of the datasets that the caller can access, newest first' })
  @ApiOkResponse({ standardSchema: taskListResponse })
  @MayFail(404)
  page(
    @Query({ schema: taskListQuery }) query: TaskListQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof taskListResponse>> {
    // One transaction, so that the response never shows a finished task with a dataset that is still busy.
    return this.transactions.readTogether(() => this.readPage(query, principal));
  }

  private async readPage(query: TaskListQuery, principal: Principal): Promise<z.infer<typeof taskListResponse>> {
    const accessible = new Map(
      (await this.datasets.listAccessible(principal)).map(({ dataset }) => [dataset.id, dataset]),
    );
    if (query.dataset_id !== undefined && !accessible.has(query.dataset_id)) throw new DatasetNotFoundError();
    const filter = {
      datasetIds: query.dataset_id === undefined ? [...accessible.keys()] : [query.dataset_id],
      datasetName: query.dataset_name,
      type: query.task_type,
      status: query.task_status,
      createdBy: query.created_by,
      from: query.start_time_from,
      to: query.start_time_to,
    };
    const { tasks, total } = await this.list.page(filter, {
      sort: query.sort_by,
      order: query.sort_order,
      skip: (query.page - 1) * query.page_size,
      take: query.page_size,
    });
    const jobIds = tasks.flatMap(({ jobId, endTime }) => (jobId === null || endTime !== null ? [] : [jobId]));
    const ahead = await this.jobs.countAhead(jobIds);
    return {
      tasks: tasks.map((task) =>
        presentTask(task, accessible.get(task.datasetId)!.status, ahead.get(task.jobId ?? '') ?? 0),
      ),
      total,
      page: query.page,
      page_size: query.page_size,
    };
  }

  @Get('filters')
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'The values that tasks can be filtered by' })
  @ApiOkResponse({ standardSchema: taskFiltersResponse })
  async filters(
    @Query({ schema: taskFiltersQuery }) query: TaskFiltersQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof taskFiltersResponse>> {
    const accessible = await this.datasets.listAccessible(principal);
    const values = await this.list.filterValues({
      datasetIds: accessible.map(({ dataset }) => dataset.id),
      from: query.start_time_from,
      to: query.start_time_to,
    });
    return {
      dataset_names: values.datasetNames,
      dataset_ids: values.datasetIds,
      task_types: values.types,
      created_by: values.createdBy,
    };
  }

  @Post(':task_id/abort')
  @HttpCode(200)
  @WorkspaceRole('editor')
  @ApiOperation({ summary: 'Stop a running task' })
  @ApiOkResponse({ standardSchema: taskResponse })
  @MayFail(409)
  async abort(
    @Param({ schema: taskPath }) path: TaskPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TaskResponse> {
    return this.transactions.run(async () => this.present(await this.actions.abort(path.task_id, principal)));
  }

  @Post(':task_id/retry')
  @HttpCode(200)
  @WorkspaceRole('editor')
  @ApiOperation({ summary: 'Run a task again that failed or was aborted' })
  @ApiOkResponse({ standardSchema: taskResponse })
  @MayFail(400, 409)
  async retry(
    @Param({ schema: taskPath }) path: TaskPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TaskResponse> {
    return this.transactions.run(async () => this.present(await this.actions.retry(path.task_id, principal)));
  }

  private async present(task: Awaited<ReturnType<TaskActions['abort']>>): Promise<TaskResponse> {
    return presentTask(task, (await this.datasets.get(task.datasetId)).status);
  }
}
