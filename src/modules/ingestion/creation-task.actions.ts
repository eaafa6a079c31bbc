import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../common/jobs/job-queue';
import { DatasetRepository, type Dataset } from '../datasets';
import { TaskActions, TaskLedger, type Task, type TaskActionHandler } from '../tasks';
import { INDEX_DATASET } from './jobs/index-dataset.job';

/** Abort and retry of a dataset's creation; what was uploaded is kept. */
@Injectable()
export class CreationTaskActions implements TaskActionHandler, OnModuleInit {
  constructor(
    private readonly actions: TaskActions,
    private readonly tasks: TaskLedger,
    private readonly datasets: DatasetRepository,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.actions.register('DATASET_CREATION', this);
  }

  async abort(task: Task, dataset: Dataset): Promise<void> {
    await this.tasks.abort(task.id);
    await this.datasets.applyEvent(dataset, 'indexing-aborted', { progress: 0 });
    if (task.jobId !== null) await this.jobs.cancel(task.jobId);
  }

  async retry(task: Task, dataset: Dataset): Promise<void> {
    await this.datasets.applyEvent(dataset, 'indexing-retried', { progress: 0, fatalErrorMessage: null });
    const jobId = await this.jobs.enqueue(INDEX_DATASET, { datasetId: dataset.id, taskId: task.id });
    await this.tasks.reopen(task.id, jobId);
  }
}
