import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import type { Task, TaskStatus, TaskType } from '../domain/task';
import { TaskEntity } from './task.repository';

export interface TaskFilter {
  readonly datasetIds: readonly string[];
  readonly datasetName?: string | undefined;
  readonly type?: TaskType | undefined;
  readonly status?: TaskStatus | undefined;
  readonly createdBy?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export type TaskSort = 'start_time' | 'status' | 'task_type' | 'dataset_name' | 'dataset_id' | 'created_by';

export interface TaskPage {
  readonly sort: TaskSort;
  readonly order: 'asc' | 'desc';
  readonly skip: number;
  readonly take: number;
}

export interface TaskFilterValues {
  readonly datasetNames: string[];
  readonly datasetIds: string[];
  readonly types: string[];
  readonly createdBy: string[];
}

const COLUMNS: Readonly<Record<TaskSort, string>> = {
  start_time: 'task.startTime',
  status: 'task.status',
  task_type: 'task.type',
  dataset_name: 'task.datasetName',
  dataset_id: 'task.datasetId',
  created_by: 'task.createdBy',
};

@Injectable()
export class TaskListReadModel {
  constructor(@InjectRepository(TaskEntity) private readonly tasks: Repository<TaskEntity>) {}

  async page(filter: TaskFilter, page: TaskPage): Promise<{ tasks: Task[]; total: number }> {
    const direction = page.order === 'asc' ? 'ASC' : 'DESC';
    const [tasks, total] = await this.matching(filter)
      .orderBy(COLUMNS[page.sort], direction)
      .addOrderBy('task.startTime', 'DESC')
      .addOrderBy('task.id', 'ASC')
      .skip(page.skip)
      .take(page.take)
      .getManyAndCount();
    return { tasks, total };
  }

  async filterValues(filter: TaskFilter): Promise<TaskFilterValues> {
    const distinct = async (column: string): Promise<string[]> => {
      const rows = await this.matching(filter)
        .select(column, 'value')
        .distinct(true)
        .orderBy('value')
        .getRawMany<{ value: string }>();
      return rows.map(({ value }) => value);
    };
    return {
      datasetNames: await distinct('task.datasetName'),
      datasetIds: await distinct('task.datasetId'),
      types: await distinct('task.type'),
      createdBy: await distinct('task.createdBy'),
    };
  }

  private matching(filter: TaskFilter): SelectQueryBuilder<TaskEntity> {
    const query = this.tasks
      .createQueryBuilder('task')
      .where('task.datasetId = ANY(:datasetIds)', { datasetIds: filter.datasetIds });
    if (filter.datasetName !== undefined)
      query.andWhere('task.datasetName = :datasetName', { datasetName: filter.datasetName });
    if (filter.type !== undefined) query.andWhere('task.type = :type', { type: filter.type });
    if (filter.status !== undefined) query.andWhere('task.status = :status', { status: filter.status });
    if (filter.createdBy !== undefined) query.andWhere('task.createdBy = :createdBy', { createdBy: filter.createdBy });
    if (filter.from !== undefined) query.andWhere('task.startTime >= :from', { from: filter.from });
    if (filter.to !== undefined) query.andWhere('task.startTime <= :to', { to: filter.to });
    return query;
  }
}
