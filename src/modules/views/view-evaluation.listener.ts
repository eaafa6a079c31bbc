import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DatasetReader } from '../datasets';
import { type AddedBatch, AddedBatches } from '../tables';
import { EVALUATE_VIEWS } from './jobs/evaluate-views.job';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';

/** Enqueues the evaluation of a dataset's views for each added batch. */
@Injectable()
export class ViewEvaluationListener implements OnModuleInit {
  constructor(
    private readonly addedBatches: AddedBatches,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly datasets: DatasetReader,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.addedBatches.listen((batch) => this.enqueue(batch));
  }

  /** The caller has locked the dataset, as the creation of views does: a view is evaluated only for batches added after it. */
  private async enqueue({ datasetId, batchId }: AddedBatch): Promise<void> {
    if ((await this.evaluations.enqueue(datasetId, batchId, new Date())) === 0) return;
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer !== null) await this.queue.enqueue(EVALUATE_VIEWS, { datasetId, batchId, pointer });
  }
}
