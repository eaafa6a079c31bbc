import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../common/jobs/job-queue';
import type { Dataset } from '../datasets';
import { TaskLedger } from '../tasks';
import { INDEX_DATASET } from './jobs/index-dataset.job';

/** Opens the DATASET_CREATION task and enqueues its job, in the caller's transaction. */
@Injectable()
export class StartIndexingUseCase {
  constructor(
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  async start(dataset: Pick<Dataset, 'id' | 'displayName'>, createdBy: string): Promise<void> {
    const task = await this.tasks.open({
      datasetId: dataset.id,
      datasetName: dataset.displayName,
      type: 'DATASET_CREATION',
      createdBy,
    });
    await this.tasks.assignJob(
      task.id,
      await this.jobs.enqueue(INDEX_DATASET, { datasetId: dataset.id, taskId: task.id }),
    );
  }
}
