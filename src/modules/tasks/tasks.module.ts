import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule, DeleteDatasetUseCase } from '../datasets';
import { EventsModule } from '../events';
import { DatasetOperations } from './operations/dataset-operations';
import { TaskController } from './http/task.controller';
import { tasksPersistence } from './persistence/schema';
import { TaskListReadModel } from './persistence/task-list.read-model';
import { TaskRepository } from './persistence/task.repository';
import { TaskActions } from './task-actions';
import { TaskLedger } from './task-ledger';

@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature(tasksPersistence.entities), DatasetsModule, EventsModule],
  controllers: [TaskController],
  providers: [TaskRepository, TaskListReadModel, TaskLedger, DatasetOperations, TaskActions],
  exports: [TaskLedger, DatasetOperations],
})
export class TasksModule implements OnModuleInit {
  constructor(
    private readonly deletion: DeleteDatasetUseCase,
    private readonly ledger: TaskLedger,
  ) {}

  onModuleInit(): void {
    this.deletion.checkFirst((datasetId) => this.ledger.assertDeletable(datasetId));
  }
}
