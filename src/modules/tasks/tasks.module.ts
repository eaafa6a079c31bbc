import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { DatasetOperations } from './operations/dataset-operations';
import { TaskController } from './http/task.controller';
import { TaskListReadModel } from './persistence/task-list.read-model';
import { TaskRepository } from './persistence/task.repository';
import { TaskActions } from './task-actions';
import { TaskLedger } from './task-ledger';

@Module({
  imports: [DatasetsModule, EventsModule],
  controllers: [TaskController],
  providers: [TaskRepository, TaskListReadModel, TaskLedger, DatasetOperations, TaskActions],
  exports: [TaskLedger, DatasetOperations, TaskActions],
})
export class TasksModule {}
