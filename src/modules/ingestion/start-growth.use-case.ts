import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/http/principal';
import { JobQueue } from '../../common/jobs/job-queue';
import type { JobType } from '../../common/jobs/job-type';
import { DatasetRepository, type Dataset } from '../datasets';
import { TaskLedger } from '../tasks';
import type { GrowthParameters } from './domain/growth-task';
import type { GrowthPayload } from './jobs/growth-operation';

export interface GrowthStart {
  readonly type: 'MEDIA_ADDITION' | 'REINDEX';
  readonly event: 'addition-started' | 'reindex-started';
  readonly job: JobType<GrowthPayload>;
  readonly parameters: GrowthParameters;
}

/** Opens the task of an operation on an indexed dataset and enqueues its job, in the transaction of the caller, who holds the dataset. */
@Injectable()
export class StartGrowthUseCase {
  constructor(
    private readonly datasets: DatasetRepository,
    private readonly tasks: TaskLedger,
    private readonly jobs: JobQueue,
  ) {}

  /** Answers the id of the task. */
  async start(dataset: Dataset, caller: Principal, { type, event, job, parameters }: GrowthStart): Promise<string> {
    const task = await this.tasks.open({
      datasetId: dataset.id,
      datasetName: dataset.displayName,
      type,
      createdBy: caller.email,
      parameters,
    });
    await this.datasets.applyEvent(dataset, event, { progress: 0 });
    await this.tasks.assignJob(task.id, await this.jobs.enqueue(job, { datasetId: dataset.id, taskId: task.id }));
    return task.id;
  }
}
